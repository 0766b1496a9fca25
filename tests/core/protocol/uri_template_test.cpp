// SPDX-License-Identifier: Apache-2.0
// RFC 6570 matched backwards: handwritten tables, and every small URI compared with an expander of this test.
#include "mcp/uri_template.hpp"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "mcp/resource.hpp"

namespace {

using mcp::find_ambiguity;
using mcp::is_matchable;
using mcp::match_uri;
using mcp::TemplateMatch;
using mcp::detail::Ambiguity;

constexpr std::string_view good[] = {
    "{a}",
    "x:{a}",
    "{a}/{b}",
    "x:{a,b,c}",
    "x:{+a}",
    "x:{#a}",
    "x:{.a}{/b}{;c}{?d}{#f}",
    "{a}{/b}",
    "{a}{?b,c}",
    "x:{long_name.1}",
    "{A9_}",
    "{a,b,c,d,e,f,g,h}",
    "{a}b{c}d{e}f{g}",
    "\u20ac{a}",
    "x:{a}/",
};
static_assert([] {
  for (const std::string_view text : good) {
    if (!is_matchable(text)) return false;
  }
  return true;
}());

// One by one, so that the compiler names the line.
static_assert(!is_matchable(""));
static_assert(!is_matchable("x:a"), "no variable: that is a resource");
static_assert(!is_matchable("{}"));
static_assert(!is_matchable("x:{a"));
static_assert(!is_matchable("x:a}"));
static_assert(!is_matchable("x:{a}}"));
static_assert(!is_matchable("x:{{a}}"));
static_assert(!is_matchable("x:}{a}"));
static_assert(!is_matchable("{a}{b}"), "nothing tells where a ends");
static_assert(!is_matchable("{/a}{b}"));
static_assert(!is_matchable("{a}{+b}"));
static_assert(!is_matchable("{+a}/{b}"), "a may hold any slash");
static_assert(!is_matchable("{#a}{b}"));
static_assert(!is_matchable("{+a}{?b}"));
static_assert(!is_matchable("{+a,b}"));
static_assert(!is_matchable("{#a,b}"));
static_assert(!is_matchable("{a:3}"), "level 4");
static_assert(!is_matchable("{a*}"), "level 4");
static_assert(!is_matchable("{=a}"), "an operator of the future");
static_assert(!is_matchable("{!a}"));
static_assert(!is_matchable("{|a}"));
static_assert(!is_matchable("{a,}"));
static_assert(!is_matchable("{,a}"));
static_assert(!is_matchable("{a,,b}"));
static_assert(!is_matchable("{a b}"));
static_assert(!is_matchable("{?}"));
static_assert(!is_matchable("{a-b}"));
static_assert(!is_matchable("{a,b,c,d,e,f,g,h,i}"), "nine variables");
static_assert(!is_matchable("{a,b,c,d}/{e,f,g,h}/{i}"));

// "a=1 b=2" as it was bound, or "no".
std::string matched(std::string_view uri_template, std::string_view uri) {
  TemplateMatch match;
  const bool matches = match_uri(uri_template, uri, match);
  if (mcp::is_simple(uri_template)) {
    TemplateMatch simple;
    EXPECT_EQ(mcp::match_simple_uri(uri_template, uri, simple), matches) << uri_template << " " << uri;
    EXPECT_EQ(simple.count, match.count);
    for (std::size_t i = 0; matches && i < match.count; ++i) {
      EXPECT_EQ(simple.variables[i].name, match.variables[i].name);
      EXPECT_EQ(simple.variables[i].value, match.variables[i].value);
    }
  }
  if (!matches) return "no";
  std::string text;
  for (std::size_t i = 0; i < match.count; ++i) {
    const auto& [name, value] = match.variables[i];
    text.append(text.empty() ? "" : " ").append(name).append("=").append(value);
  }
  return text;
}

struct Case {
  std::string_view uri_template;
  std::string_view uri;
  std::string_view result;
};

TEST(UriTemplate, MatchesExpansions) {
  constexpr Case cases[] = {
      // RFC 6570 section 3.2.2, simple expansion
      {"{var}", "value", "var=value"},
      {"{hello}", "Hello%20World%21", "hello=Hello%20World%21"},
      {"{half}", "50%25", "half=50%25"},
      {"O{empty}X", "OX", "no"},  // an unnamed value is not empty
      {"{x,y}", "1024,768", "x=1024 y=768"},
      {"{x,hello,y}", "1024,Hello%20World%21,768", "x=1024 hello=Hello%20World%21 y=768"},
      {"?{x,undef}", "?1024", "x=1024"},
      {"{var}", "", "no"},
      {"{var}", "a/b", "no"},
      {"{var}", "a,b", "var=a,b"},
      {"{var}", "a!", "var=a!"},
      {"{var}", "a?b", "no"},
      {"{var}", "a#b", "no"},
      {"{var}", "a[b]", "no"},
      {"{var}", "a b", "no"},
      {"{var}", "a%2", "no"},
      {"{var}", "a%", "no"},
      {"{var}", "%zz", "no"},
      {"{var}", "\xC3\xA4", "no"},
      {"{var}", std::string_view("a\0b", 3), "no"},
      // 3.2.3, reserved expansion
      {"{+var}", "value", "var=value"},
      {"{+hello}", "Hello%20World!", "hello=Hello%20World!"},
      {"{+base}index", "http://example.com/home/index", "base=http://example.com/home/"},
      {"here?ref={+path}", "here?ref=/foo/bar", "path=/foo/bar"},
      {"up{+path}", "up/foo/bar", "path=/foo/bar"},
      {"{+path}/here", "/foo/bar/here", "path=/foo/bar"},
      {"{+path}/here", "/here/here", "path=/here"},
      {"{+path}/here", "/here", "no"},
      {"{+path}", "a b", "no"},
      {"{+path}", std::string_view("a\0b", 3), "no"},
      {"{+path}", "a%2", "no"},
      // 3.2.4, fragment expansion
      {"{#var}", "#value", "var=value"},
      {"{#hello}", "#Hello%20World!", "hello=Hello%20World!"},
      {"foo{#path}", "foo#/foo/bar", "path=/foo/bar"},
      {"foo{#path}", "foo", ""},
      {"foo{#path}", "foo/bar", "no"},
      // 3.2.5, label expansion
      {"{.who}", ".fred", "who=fred"},
      {"{.half,who}", ".50%25.fred", "half=50%25 who=fred"},
      {"X{.var}", "X.value", "var=value"},
      {"X{.x,y}", "X.1024.768", "x=1024 y=768"},
      {"X{.x,y}", "X.1024", "x=1024"},
      {"X{.var}", "X", ""},
      {"X{.var}", "X.a/b", "no"},
      // 3.2.6, path segments
      {"{/who}", "/fred", "who=fred"},
      {"{/half,who}", "/50%25/fred", "half=50%25 who=fred"},
      {"{/var,x}/here", "/value/1024/here", "var=value x=1024"},
      {"{/var,x}/here", "/value/here", "var=value"},
      {"{/var,x}/here", "/here", ""},
      {"{/var}", "/a/b", "no"},
      // 3.2.7, path-style parameters
      {"{;who}", ";who=fred", "who=fred"},
      {"{;half}", ";half=50%25", "half=50%25"},
      {"{;empty}", ";empty", "empty="},
      {"{;v,empty,who}", ";v=6;empty;who=fred", "v=6 empty= who=fred"},
      {"{;v,bar,who}", ";v=6;who=fred", "v=6 who=fred"},
      {"{;x,y}", ";x=1024;y=768", "x=1024 y=768"},
      {"{;x}", ";y=1", "no"},
      {"{;x}", ";x=1;x=2", "no"},
      // 3.2.8, form-style query
      {"{?who}", "?who=fred", "who=fred"},
      {"{?x,y}", "?x=1024&y=768", "x=1024 y=768"},
      {"{?x,y,empty}", "?x=1024&y=768&empty=", "x=1024 y=768 empty="},
      {"{?x,y}", "?y=768&x=1024", "y=768 x=1024"},
      {"{?x,y}", "", ""},
      {"{?x}", "?x=a=b", "no"},
      {"{?x}", "?X=1", "no"},
      // 3.2.9, form-style continuation
      {"{&who}", "&who=fred", "who=fred"},
      {"?fixed=yes{&x}", "?fixed=yes&x=1024", "x=1024"},
      {"{&x,y,empty}", "&x=1024&y=768&empty=", "x=1024 y=768 empty="},
  };
  for (const Case& c : cases)
    EXPECT_EQ(matched(c.uri_template, c.uri), c.result) << c.uri_template << " from " << c.uri;
}

TEST(UriTemplate, MatchesSeveralExpressionsAndWhatPeopleType) {
  constexpr Case cases[] = {
      // several expressions and literals
      {"x:{a}/{b}", "x:1/2", "a=1 b=2"},
      {"x:{a}/{b}", "x:1/2/3", "no"},
      {"x:{a}/{b}", "y:1/2", "no"},
      {"x:{a}/{b}", "x:1", "no"},
      {"x:{a}-{b}", "x:1-2-3", "a=1 b=2-3"},
      {"x:{a}.txt", "x:a.txt.txt", "a=a.txt"},
      {"x:{a}{?b}{#c}", "x:1?b=2#3", "a=1 b=2 c=3"},
      {"x:{a}{?b}{#c}", "x:1#3", "a=1 c=3"},
      {"x:{a}{/b}{.c}", "x:1/2", "a=1 b=2"},
      {"{a,b,c,d,e,f,g,h}", "1,2,3,4,5,6,7,8", "a=1 b=2 c=3 d=4 e=5 f=6 g=7 h=8"},
      {"{a}/{a}", "1/1", "no"},  // one name is bound once
      // characters that an expansion escapes
      {"x:{a}", "x:28:FF:64:1E", "a=28:FF:64:1E"},
      {"x:{a}/end", "x:2026-11-28T12:00:00Z/end", "a=2026-11-28T12:00:00Z"},
      {"x:{a}", "x::@!$&'()*+,;=", "a=:@!$&'()*+,;="},
      {"x:{a}:{b}", "x:1:28:FF", "a=1 b=28:FF"},
      {"x:{a},{b}", "x:1,2,3", "a=1 b=2,3"},
      {"x:{a},{b}", "x:1%2C2,3", "a=1%2C2 b=3"},
      {"x:{a}{?b}", "x:a@b?b=c@d:e", "a=a@b b=c@d:e"},
      {"x:{a}{?b}", "x:a?b=c=d", "no"},
      {"x:{a}{;b}", "x:a,b;b=c,d", "a=a,b b=c,d"},
      {"x:{a}{&b}", "x:a;b&b=c", "a=a;b b=c"},
      {"x{/a}", "x/28:FF", "a=28:FF"},
      {"x{.a}", "x.1:2", "a=1:2"},
      {"x:{a,b}", "x:1:2,3;4", "a=1:2 b=3;4"},
      {"x:{a,b}", "x:1,2,3", "no"},
      {"x:{a}/x{/b}", "x:1/x/2", "a=1 b=2"},
      {"x:{a}/x{/b}", "x:1/x", "a=1"},
      {"x:{a}{;b}{/c}", "x:1;b=2/3", "a=1 b=2 c=3"},
      {"x:{a}{;b}{/c}", "x:1/3", "a=1 c=3"},
      // a literal at the end, or before what ends a path
      {"x:{a}.json{?b}", "x:a.json.json?b=c", "a=a.json b=c"},
      {"x:{a}.json{?b}", "x:a.json", "a=a"},
      {"x:{a}.json{?b}", "x:a.json.x?b=c", "no"},
      {"x:{a}.json{?b}{#c}", "x:a.json#d", "a=a c=d"},
      {"x:{a}.json{?b}", "x:.json", "no"},
      {"x{/a}/x{?b}", "x/x/x?b=1", "a=x b=1"},
      {"x{/a}/x{?b}", "x/x", ""},
      // RFC 6570 section 3.1: an expansion has escapes for the characters of a literal that no URI has
      {"x:caf\u00e9/{a}", "x:caf%C3%A9/b", "a=b"},
      {"x:caf\u00e9/{a}", "x:caf%c3%a9/b", "a=b"},
      {"x:caf\u00e9/{a}", "x:caf\u00e9/b", "a=b"},
      {"x:caf\u00e9/{a}", "x:cafe/b", "no"},
      {"x:caf\u00e9/{a}", "x:caf%C3", "no"},
      {"x:caf%C3%A9/{a}", "x:caf\u00e9/b", "a=b"},
      {"x:a b/{a}", "x:a%20b/c", "a=c"},
      {"x:a b/{a}", "x:a b/c", "a=c"},
      {"x:a b/{a}", "x:a+b/c", "no"},
      {"x:{a}\u20ac", "x:5%E2%82%AC", "a=5"},
      {"x:{a}\u20ac", "x:5\u20ac", "a=5"},
      {"x:{a}\u20ac", "x:5%E2%82%AC%E2%82%AC", "a=5%E2%82%AC"},
      {"x:{a} /{b}", "x:1%20/2", "a=1 b=2"},
      {"x:a%2Fb/{a}", "x:a%2fb/c", "a=c"},
      {"x:a%2Fb/{a}", "x:a/b/c", "no"},
      {"x:a/b {a}", "x:a%2Fb c", "no"},
      {"x:a|\"/{a}", "x:a%7C%22/b", "a=b"},
      // RFC 3986 section 6.2.2.2: an escape of an unreserved character is that character
      {"x:{a}.json", "x:b%2Ejson", "a=b"},
      {"x:{a}.json", "x:b.%6as%6Fn", "a=b"},
      {"x:{a}/end", "x:b/%65nd", "a=b"},
      {"x:{a}/end", "x:b%2Fend", "no"},
      {"x:{a}ab", "x:1%61", "no"},
      {"x{.a}2Ey", "x%2Ey", "no"},
      {"abc:{a}", "a%62c:1", "a=1"},
      {"x:a b.{a}", "x:%61%20b%2E1", "a=1"},
      {"x:caf%41/{a}", "x:cafA/b", "a=b"},
      {"x{?name}", "x?n%61me=1", "name=1"},
      {"x{?name,b}", "x?n%61me=1&name=2", "no"},
      {"x{?name,b}", "x?name%3D=1", "no"},
      {"x{;name}{;b}", "x;%6Eame;%62=2", "name= b=2"},
      {"x{.a}", "x%2Eb", "a=b"},
      {"x{.a}", "x%2eb%2Ec", "a=b%2Ec"},
      {"x{.a}", "x%2E", "no"},
      {"x{/a}", "x%2Fb", "no"},
      {"x:{a}.", "x:b%2", "no"},
      // a literal does not begin within an escape
      {"x:{a}41", "x:b%41", "no"},
      {"x:{a}41", "x:b%2541", "a=b%25"},
      {"x:{a}4:{b}", "x:%44:2", "no"},
      {"x:{a}/{b}", "x:1%2/3", "no"},
      {"x:{a}/{b}", "x:1%/3", "no"},
      {"x:{a}/{b}", "x:1/2%2", "no"},
  };
  for (const Case& c : cases)
    EXPECT_EQ(matched(c.uri_template, c.uri), c.result) << c.uri_template << " from " << c.uri;
}

// ---- Against an expander -----------------------------------------------------------------------------------------

using Values = std::map<std::string, std::string>;

// RFC 6570 section 3.2.1, for values of unreserved characters and, with + and #, reserved ones.
std::string expand(std::string_view uri_template, const Values& values) {
  std::string out;
  while (!uri_template.empty()) {
    const mcp::detail::Piece piece = mcp::detail::next_piece(uri_template);
    if (!piece.expression) {
      out += piece.text;
      continue;
    }
    const std::string_view symbols = "+#./;?&";
    const char symbol = symbols.find(piece.text[0]) != std::string_view::npos ? piece.text[0] : '\0';
    const bool named = symbol == ';' || symbol == '?' || symbol == '&';
    const std::string separator = symbol == '\0' || symbol == '+' || symbol == '#' ? ","
                                  : symbol == '?'                                  ? "&"
                                                                                   : std::string(1, symbol);
    bool first = true;
    std::string names(piece.text.substr(symbol == '\0' ? 0 : 1));
    for (std::size_t end = 0; !names.empty(); names.erase(0, end == names.size() ? end : end + 1)) {
      end = std::min(names.find(','), names.size());
      const std::string name = names.substr(0, end);
      const auto value = values.find(name);
      if (value == values.end()) continue;
      out += !first ? separator : symbol == '\0' || symbol == '+' ? "" : std::string(1, symbol);
      first = false;
      if (named) out += name + (symbol == ';' && value->second.empty() ? "" : "=");
      out += value->second;
    }
  }
  return out;
}

// All values that a variable may have here: missing, or short texts that look like the template's own punctuation.
std::vector<Values> all_values(const std::vector<std::string>& names, const std::vector<std::string>& texts) {
  std::vector<Values> all{{}};
  for (const std::string& name : names) {
    const std::vector<Values> before = all;
    for (const std::string& text : texts) {
      for (Values values : before) all.push_back((values[name] = text, values));
    }
  }
  return all;
}

// Every match is an expansion: expanding the values again returns the URI (named values may be in another order). Every
// expansion without an empty unnamed value matches, perhaps with other values.
TEST(UriTemplate, AgreesWithAnExpander) {
  constexpr std::string_view templates[] = {
      "{a}",       "x{a}",    "{a}x",     "{a}x{b}",  "{a}xx{b}", "{a,b}",      "{a,b}x",   "{+a}",
      "{+a}x",     "x{+a}",   "{#a}",     "x{#a}",    "{.a}",     "{.a,b}",     "x{.a}x",   "{/a}",
      "{/a,b}",    "{/a}/x",  "{/a,b}/x", "{;a}",     "{;a,b}",   "{?a}",       "{?a,b}",   "{&a,b}",
      "x?y=1{&a}", "{a}{/b}", "{a}{.b}",  "{a}{?b}",  "{a}{#b}",  "{/a}{.b}",   "{/a}{?b}", "{?a}{&b}",
      "{?a}{#b}",  "{a}/{b}", "{a}.{b}",  "{/a}{/b}", "{.a}{.b}", "{?a,b}{&c}", "{;a}{;b}",
  };
  const std::vector<Values> values = all_values({"a", "b", "c"}, {"x", "y", "xx", "yx", "x.y"});
  const auto report = [](const std::string& what, const std::set<std::string>& uris, std::string_view uri_template) {
    EXPECT_TRUE(uris.empty()) << uris.size() << " URIs " << what << ": " << uri_template << " from " << *uris.begin();
  };
  for (const std::string_view uri_template : templates) {
    if (!is_matchable(uri_template)) continue;  // may be rejected, but must not be wrong
    std::set<std::string> lost;
    std::set<std::string> invented;
    std::set<std::string> uris;
    for (const Values& v : values) {
      const std::string uri = expand(uri_template, v);
      // Unnamed values that are missing leave the expression's place empty, which a match does not bring back.
      const bool bare = (uri_template[0] == '{' && uri_template[1] == 'a' && v.count("a") == 0) ||
                        (uri_template.find("{b}") != std::string_view::npos && v.count("b") == 0) ||
                        (uri_template.find("{+a}") != std::string_view::npos && v.count("a") == 0) ||
                        (uri_template.find("{a") != std::string_view::npos && v.count("a") == 0);
      if (bare) continue;
      uris.insert(uri);
    }
    for (const std::string& uri : uris) {
      TemplateMatch match;
      if (!match_uri(uri_template, uri, match)) lost.insert(uri);
    }
    // Neighbours of expansions: a character more, fewer, or another.
    std::set<std::string> near = uris;
    for (const std::string& uri : uris) {
      for (std::size_t i = 0; i <= uri.size(); ++i) {
        for (const char c : std::string_view("x./;?&=,#")) near.insert(std::string(uri).insert(i, 1, c));
        if (i < uri.size()) near.insert(std::string(uri).erase(i, 1));
      }
    }
    for (const std::string& uri : near) {
      TemplateMatch match;
      if (!match_uri(uri_template, uri, match)) continue;
      Values found;
      for (std::size_t i = 0; i < match.count; ++i)
        found[std::string(match.variables[i].name)] = match.variables[i].value;
      const std::string back = expand(uri_template, found);
      const bool named = uri_template.find_first_of(";?&") != std::string_view::npos;
      const bool same =
          named ? std::multiset<char>(back.begin(), back.end()) == std::multiset<char>(uri.begin(), uri.end())
                : back == uri;
      // `;a=` is `;a`, which every reader of such parameters takes for the same.
      if (!same && !(uri_template.find(';') != std::string_view::npos && back.size() < uri.size())) {
        invented.insert(uri + " (which would be " + back + ")");
      }
    }
    report("are expansions and do not match", lost, uri_template);
    report("match and are no expansions", invented, uri_template);
  }
}

// A template is ambiguous if two sets of values have one expansion. All variables have values here: if some may be
// missing, the values count from the left.
TEST(UriTemplate, FindsAmbiguity) {
  constexpr struct {
    std::string_view uri_template;
    Ambiguity ambiguity;
  } cases[] = {
      {"{a}", Ambiguity::none},
      {"{a}/{b}", Ambiguity::none},
      {"{a}:{b}", Ambiguity::none},
      {"{a}x:y{b}", Ambiguity::none},
      {"{a,b}/{c}", Ambiguity::none},
      {"{a,b},{c}", Ambiguity::literal},
      {"{a}x", Ambiguity::none},
      {"{a}x{b}", Ambiguity::literal},
      {"{a}-{b}", Ambiguity::literal},
      {"{a}xx{b}y", Ambiguity::literal},
      {"{a}%2F{b}", Ambiguity::literal},
      {"{a}\u00e9{b}", Ambiguity::literal},
      {"{a}x{?b}", Ambiguity::none},
      {"{a}x{/b}{?c}", Ambiguity::none},
      {"{a}x{;b}", Ambiguity::literal},
      {"{a}x{?b}y{c}", Ambiguity::literal},
      {"{a}?f=1{&b}", Ambiguity::none},
      {"{/a}/x", Ambiguity::none},
      {"{/a}/x{?b}", Ambiguity::none},
      {"{/a}/x{.b}", Ambiguity::literal},
      {"{/a}/x/{b}", Ambiguity::literal},
      {"{a}{?b}", Ambiguity::none},
      {"{a}{;b}", Ambiguity::none},
      {"{a}{/b}", Ambiguity::none},
      {"{a}{.b}", Ambiguity::variable},
      {"{/a}{.b}", Ambiguity::variable},
      {"{.a,b}", Ambiguity::variable},
      {"{.a}{.b}", Ambiguity::variable},
      {"{?a}{&b}", Ambiguity::none},
      {"{a}{/b}/x", Ambiguity::none},
      {"{a}{;b}{&c}", Ambiguity::variable},
      {"{a}{;b}.x", Ambiguity::literal},
      {"{a}{/b}x{?c}", Ambiguity::literal},
      {"{a}{/b}\u00e9", Ambiguity::literal},
      {"{a}/x{/b}", Ambiguity::none},
      {"{/a,b}x{/c}", Ambiguity::literal},
      {"{?a,b}&b={c}", Ambiguity::literal},
      {"{a}{;b}{/c}", Ambiguity::none},
      {"{/a,b}{;c}{/d}", Ambiguity::variable},
      {"{+a}", Ambiguity::none},
      {"{+a}x", Ambiguity::none},
  };
  for (const auto& c : cases) {
    ASSERT_TRUE(is_matchable(c.uri_template)) << c.uri_template;
    EXPECT_EQ(find_ambiguity(c.uri_template), c.ambiguity) << c.uri_template;
  }
}

// Of a template without ambiguity, each expansion gives the values back. Of each template with ambiguity in this list,
// two sets of values have one expansion.
TEST(UriTemplate, OnlyTemplatesWithoutAmbiguityGiveTheValuesBack) {
  constexpr std::string_view templates[] = {
      "{a}",         "{a}/{b}",    "{a}:x{b}",  "{a}x",      "{a}x{b}",     "{a}-{b}",    "{a}-x{b}y",
      "{a}.x{?b}",   "{a}x{/b}",   "{a}{.b}",   "{.a,b}",    "{.a}",        "{/a}{.b}",   "{/a,b}",
      "{a,b}",       "{a,b}/{c}",  "{a}{?b}",   "{a}{;b}",   "{?a}{&b,c}",  "x{/a}/x",    "{/a}/x{?b}",
      "{;a}{?b}",    "{a}x:y{b}x", "{+a}x",     "{a}x/{b}",  "{a}{#b}",     "{.a}/x{.b}", "{a}.{b}/{c}",
      "{a}/{b}.{c}", "{a},{b}.x",  "{a}{/b}/x", "{a}/x{/b}", "{a}{;b}{/c}",
  };
  const std::vector<std::string> texts = {"x", "y", "xx", "yx", "x.x", "x-x", "-xx", ".x", "x.x.x"};
  for (const std::string_view uri_template : templates) {
    std::map<std::string, Values> expansions;
    std::string wrong;
    bool collides = false;
    for (const Values& values : all_values({"a", "b", "c"}, texts)) {
      if (values.size() != 3) continue;
      Values named;
      for (const auto& [name, value] : values) {
        if (mcp::has_variable(uri_template, name)) named[name] = value;
      }
      const std::string uri = expand(uri_template, values);
      const auto [at, is_new] = expansions.emplace(uri, named);
      collides = collides || (!is_new && at->second != named);
      TemplateMatch match;
      const bool matches = match_uri(uri_template, uri, match);
      Values found;
      for (std::size_t i = 0; matches && i < match.count; ++i)
        found[std::string(match.variables[i].name)] = match.variables[i].value;
      if (found != named) wrong = uri;
    }
    const bool is_ambiguous = find_ambiguity(uri_template) != Ambiguity::none;
    EXPECT_EQ(collides, is_ambiguous) << uri_template;
    EXPECT_EQ(wrong.empty(), !is_ambiguous) << uri_template << " from " << wrong;
  }
}

// A matcher that is not linear in the URI does not end within the test's time limit on these.
TEST(UriTemplate, MatchesInLinearTime) {
  constexpr std::size_t size = 1'000'000;
  const auto many = [](std::string_view text) {
    std::string result;
    while (result.size() < size) result += text;
    return result;
  };
  const struct {
    const char* uri_template;
    std::string uri;
    bool matches;
  } cases[] = {
      {"{a}xy{b}", many("x"), false},
      {"{a}xxxxxxxy{b}", many("xxxxxxx."), false},
      {"{a}/{b}/{c}/{d}/{e}/{f}/{g}/{h}", many("/"), false},
      {"{a}-{b}-{c}-{d}-{e}-{f}-{g}-{h}", many("a-"), true},
      {"{a}.{b}.{c}.{d}.{e}.{f}.{g}.x", many("."), false},
      {"{a,b,c,d,e,f,g,h}", many(","), false},
      {"{+a}x", many("/x"), true},
      {"{+a}x", many("%2"), false},
      {"{.a,b}{.c,d}{.e,f}{.g}!", many("."), false},
      {"{/a,b}{.c}{;d,e}{?f}{&g}{#h}", many("/.;?&#"), false},
      {"{?a,b}{&c,d}{#e}", "?" + many("&a=1"), false},
      {"{;a,b,c,d,e,f,g,h}", many(";a"), false},
      {"{a}%41", many("%41"), true},
  };
  for (const auto& c : cases) {
    TemplateMatch match;
    EXPECT_EQ(match_uri(c.uri_template, c.uri, match), c.matches) << c.uri_template;
  }
}

TEST(UriTemplate, DecodesPercentEscapes) {
  constexpr struct {
    std::string_view text;
    std::string_view decoded;
  } cases[] = {
      {"", ""},
      {"abc", "abc"},
      {"%41", "A"},
      {"a%20b%2fc%2F", "a b/c/"},
      {"%00", std::string_view("\0", 1)},
      {"%25", "%"},
      {"%2541", "%41"},
      {"%e2%82%AC", "\xE2\x82\xAC"},
      {"%fF%9a", "\xFF\x9A"},
      {"+", "+"},
  };
  for (const auto& c : cases) {
    const std::unique_ptr<char[]> into(new char[c.text.size()]);
    EXPECT_EQ(mcp::percent_decode(c.text, {into.get(), c.text.size()}), c.decoded) << c.text;
  }
}

// ---- The checks of tables, which the compiler runs elsewhere ------------------------------------------------------

TEST(UriTemplate, RejectsExpressionsThatCannotBeMatchedBack) {
  for (const std::string_view uri_template : good) EXPECT_TRUE(is_matchable(uri_template)) << uri_template;
  static constexpr std::string_view bad[] = {"",
                                             "x:a",
                                             "{}",
                                             "x:{a",
                                             "x:a}",
                                             "{a}{b}",
                                             "{/a}{b}",
                                             "{+a}/{b}",
                                             "{+a}{?b}",
                                             "{+a,b}",
                                             "{a:3}",
                                             "{a*}",
                                             "{=a}",
                                             "{a,}",
                                             "{,a}",
                                             "{a,,b}",
                                             "{a b}",
                                             "{?}",
                                             "{a-b}",
                                             "{a@}",
                                             "{a[}",
                                             "{a`}",
                                             "{a,b,c,d}/{e,f,g,h}/{i}",
                                             std::string_view("{\0a}", 4)};
  for (const std::string_view uri_template : bad) {
    EXPECT_FALSE(is_matchable(uri_template)) << uri_template;
  }
}

TEST(Uri, HasASchemeAndTheCharactersOfUris) {
  for (const std::string_view uri :
       {"a:b", "A:b", "Z:b", "z:b", "a9+-.:b", "x:%41%fF%0a%Aa", "https://example.com/a?b=c#d", "x:!$&'()*+,;=~_[]@"}) {
    EXPECT_TRUE(mcp::detail::is_uri(uri)) << uri;
  }
  for (const std::string_view uri :
       {"",      "a",     "a:",    ":b",    "1a:b",  "+a:b",  "a b:c",  "a_b:c",     "{:b",
        "@:b",   "[:b",   "a/:b",  "x: ",   "x:{a}", "x:\"",  "x:%",    "x:%4",      "x:%g1",
        "x:%1g", "x:%G1", "x:%`1", "x:%@1", "x:%/1", "x:%4%", "x:\x7F", "x:\xC3\xB6"}) {
    EXPECT_FALSE(mcp::detail::is_uri(uri)) << uri;
  }
}

// A percent sign without two hexadecimal digits is itself, whatever an escape of their values would be.
TEST(Uri, HalfAnEscapeStaysUndecoded) {
  using mcp::detail::same_uri;
  EXPECT_TRUE(same_uri("t:%41", "t:A"));
  EXPECT_TRUE(same_uri("t:%2f", "t:%2F"));
  EXPECT_FALSE(same_uri("t:%Z8", "t:%08"));
  EXPECT_FALSE(same_uri("t:%8Z", "t:%90"));
  EXPECT_FALSE(same_uri("t:%4", "t:%04"));
}

TEST(UriVariables, IntegerOfAMissingVariableIsRejected) {
  constexpr mcp::UriVariable variables[] = {{"n", "5"}, {"empty", ""}, {"minus", "-"}};
  const mcp::UriVariables of(variables);
  std::int32_t value = 7;
  for (const char* const name : {"none", "empty", "minus"}) {
    EXPECT_EQ(of.integer(name, -9, 9, value), mcp::Errc::invalid_argument) << name;
    EXPECT_EQ(value, 7);
  }
  EXPECT_EQ(of.integer("n", -9, 9, value), mcp::Errc::ok);
  EXPECT_EQ(value, 5);
}

}  // namespace
