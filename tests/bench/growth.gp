# Draws plots/*.svg from growth.tsv: what a request costs, by how much the server has. Run by tests/bench/run --write.
set terminal svg size 720,420 font "sans-serif,13" background "white"
set datafile separator "\t"
set grid
set key left top
set ylabel "instructions"
set yrange [0:*]
data = "tests/bench/growth.tsv"
of(series) = sprintf("< awk -F '\\t' '$1 == \"%s\" { print $2 \"\\t\" $3 }' %s", series, data)

set output "tests/bench/plots/tools.svg"
set xlabel "tools"
plot of("tools, list") with linespoints title "tools/list", \
     of("tools, call of the last") with linespoints title "tools/call of the last one"

set output "tests/bench/plots/resources.svg"
set xlabel "resources"
plot of("resources, list") with linespoints title "resources/list", \
     of("resources, all updated at once") with linespoints title "all updated: their notifications", \
     of("resources, read of the last") with linespoints title "resources/read of the last one"

set output "tests/bench/plots/connections.svg"
set xlabel "connections over HTTP"
plot of("connections, ping of each at once") with linespoints title "ping on each", \
     of("connections, ping of one") with linespoints title "ping on one"

set output "tests/bench/plots/arguments.svg"
set xlabel "bytes of the argument of a tools/call"
plot of("argument bytes, with escapes and UTF-8") with linespoints title "text with escapes and UTF-8", \
     of("argument bytes, ASCII") with linespoints title "ASCII"
