# The check of the check: a list of clauses and a table below WORK, each with one mistake, and what clauses.cmake must say.
cmake_minimum_required(VERSION 3.20)

file(REMOVE_RECURSE ${WORK})
set(rules "# Rules\n## A. Base\nA1 M one, as A2. A2 S two (B1).\n## B. More\nB1 Y three\n## O. Codes\nUTF-8, SEP-1303\n")
set(table "| clause | | rule | shown by |\n|---|---|---|---|
| A1 | M | one | `conversations/one.jsonl`, `client/c.test.mjs \"of a test\"` |
| A1 | S | more | `unit.core Suite.Case`, `schema.client`, `compile_fail/a.cpp` |
| A2 | S | two | open: later |
| B1 | Y | three | documented: README.md |
| O | M | codes | missing: `structure` does not show it |
")
file(WRITE ${WORK}/README.md "")
file(WRITE ${WORK}/tests/conversations/one.jsonl "")
file(WRITE ${WORK}/tests/compile_fail/a.cpp "")
file(WRITE ${WORK}/tests/client/c.test.mjs "// no title\ntest('the title of a test', () => {});\n")
file(WRITE ${WORK}/tests/core/c_test.cpp "#include \"x\"\nTEST_F(Suite, Case) {}\n")
set(build "")
foreach(name unit.core schema.client.host structure)
  string(APPEND build "add_test(${name} true)\n")
endforeach()
file(WRITE ${WORK}/build/CTestTestfile.cmake "${build}")

# says(TEXT what RULES TABLE): with these files, clauses.cmake fails (what REFUSED) or does not (ACCEPTED), and says TEXT.
function(says text what rules table)
  file(WRITE ${WORK}/rules.md "${rules}")
  file(WRITE ${WORK}/tests/clauses.md "${table}")
  execute_process(COMMAND ${CMAKE_COMMAND} -D ROOT=${WORK}/tests -D RULES=${WORK}/rules.md -D BUILD=${WORK}/build
    -P ${CMAKE_CURRENT_LIST_DIR}/clauses.cmake RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(FIND "${output}" "${text}" at)
  if(at EQUAL -1 OR (what STREQUAL ACCEPTED AND NOT status EQUAL 0) OR
      (what STREQUAL REFUSED AND NOT output MATCHES "\n *1 problem"))
    message(SEND_ERROR "${what}: expected … ${text} … and nothing else, got:\n${output}")
  endif()
endfunction()

# refused(TEXT old new): the good table with one replacement.
function(refused text old new)
  string(REPLACE "${old}" "${new}" changed "${table}")
  says("${text}" REFUSED "${rules}" "${changed}")
endfunction()

says("4 clauses in 5 lines: 2 shown by tests, 1 open, 1 missing, 0 HTTP, 1 documented, 0 application, 0 not ours" ACCEPTED
  "${rules}" "${table}")
says("open: A2 two" ACCEPTED "${rules}" "${table}")
says("missing: O codes" ACCEPTED "${rules}" "${table}")
says("nothing is said of B2" REFUSED "${rules}B2 M four\n" "${table}")
says("nothing is said of P" REFUSED "${rules}## P. Nothing numbered\n" "${table}")
refused("nothing is said of B1" "| B1 | Y | three | documented: README.md |\n" "")
refused("B7 is no clause: three" "| B1 | Y | three" "| B1 | Y | x | open: x |\n| B7 | Y | three")
refused("A1: no such file: conversations/two.jsonl" "one.jsonl" "two.jsonl")
refused("A1: no such file: compile_fail" "compile_fail/a.cpp" "compile_fail/b.cpp")
refused("A1: no such file: conversations/" "one.jsonl" "")
refused("A1: no test with this title" "of a test" "no title")
refused("A1: no test with this title" "c.test.mjs" "d.test.mjs")
refused("A1: no such unit test: unit.core Suite.Other" "Suite.Case" "Suite.Other")
refused("A1: no such unit test: unit.more Suite.Case" "unit.core" "unit.more")
refused("A1: no such test: schema.clie" "schema.client" "schema.clie")
refused("O: no such test: structures" "`structure`" "`structures`")
refused("B1: no such document: TEXT.md" "README.md" "TEXT.md")
refused("A2: neither a test nor a reason: later" "open: later" "later")
refused("A2: neither a test nor a reason: open:" "open: later" "open:")
refused("not a line of the table: | A2 | X" "| A2 |" "| A2 | X | x | open: x |\n| A2 |")
refused("not a line of the table: | A2 | S | x |" "| A2 |" "| A2 | S | x |\n| A2 |")

execute_process(COMMAND ${CMAKE_COMMAND} -D ROOT=${WORK}/tests -D RULES=${WORK}/none.md -D BUILD=${WORK}/build
  -P ${CMAKE_CURRENT_LIST_DIR}/clauses.cmake RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT status EQUAL 0 OR NOT output MATCHES "^skipped: the list of the clauses is missing: [^\n]*none.md")
  message(SEND_ERROR "without a list of clauses: ${status}\n${output}")
endif()

# Sections with numbers, and without clauses of their own (A1 is none).
set(rules "# Rules\n## 1. One\n## 10. Ten, as in A1\n")
set(table "| 10 | M | ten | `structure` |\n| 10 | S | more | open: later |\n")
says("2 clauses in 2 lines: 1 shown by tests, 1 open" ACCEPTED "${rules}" "${table}")
refused("11 is no clause: more" "| 10 | S" "| 11 | S")
refused("10: no such test: structures" "`structure`" "`structures`")
