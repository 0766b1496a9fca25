// SPDX-License-Identifier: Apache-2.0
// The coding rules as data. structure.mjs checks them; core/README.md gives the reasons.

// An include path that begins with one of these folders belongs to the project, also in angle brackets.
export const project = ['mcp', 'callers', 'json', 'kit', 'rpc', 'memory', 'engine', 'schema', 'features', 'found', 'guards', 'reads', 'session', 'stateless', 'http', 'mqtt', 'stdio', 'core', 'transports', 'ports', 'examples', 'tests'];

// Include directions: files below `folder` include only project headers whose path begins with one of `may`. `*` stands
// for a file name without a folder. `{}` stands for each folder directly in `folder`, and in `may` for its name.
//   top    the rule applies only to files directly in `folder`
//   plain  of other headers only plain_headers are allowed
//   no_if  no conditional compilation
export const includes = [
  { folder: 'core/include', may: ['mcp/'], plain: true, no_if: true },
  { folder: 'core/include/mcp/json', may: ['mcp/json/'] },
  { folder: 'core/include/mcp/memory', may: ['mcp/memory/', 'mcp/assert.hpp'] },
  { folder: 'core/include/mcp/rpc', may: ['mcp/rpc/', 'mcp/json/'] },
  { folder: 'core/json', may: ['json/', 'mcp/json/', 'mcp/assert.hpp'], plain: true, no_if: true },
  { folder: 'core/memory', may: ['mcp/memory/'], plain: true, no_if: true },
  { folder: 'core/rpc', may: ['rpc/', 'mcp/rpc/', 'mcp/json/', 'mcp/assert.hpp'], plain: true, no_if: true },
  { folder: 'core/engine', may: ['engine/', 'rpc/', 'json/', 'mcp/'], plain: true, no_if: true },
  { folder: 'core/schema', may: ['schema/', 'engine/', 'rpc/', 'json/', 'mcp/'], plain: true, no_if: true },
  { folder: 'core/features', may: ['features/', 'schema/', 'engine/', 'rpc/', 'json/', 'mcp/'], plain: true, no_if: true },
  { folder: 'core/kit/actions', may: ['kit/actions/', 'features/', 'engine/', 'rpc/', 'json/', 'mcp/'], plain: true, no_if: true },
  { folder: 'core/callers', may: ['callers/', 'engine/', 'rpc/', 'json/', 'mcp/'], plain: true, no_if: true },
  { folder: 'core/guards', may: ['guards/', 'features/', 'engine/', 'rpc/', 'json/', 'mcp/'], plain: true, no_if: true },
  { folder: 'core/reads', may: ['reads/', 'features/', 'schema/', 'engine/', 'rpc/', 'json/', 'mcp/'], plain: true, no_if: true },
  { folder: 'core/kit/figures', may: ['kit/figures/', 'engine/', 'rpc/', 'json/', 'mcp/'], plain: true, no_if: true },
  { folder: 'core/found', may: ['found/', 'features/', 'engine/', 'mcp/'], plain: true, no_if: true },
  { folder: 'core/kit/history', may: ['kit/history/', 'rpc/', 'json/', 'mcp/'], plain: true, no_if: true },
  { folder: 'core/kit/settings', may: ['kit/settings/', 'engine/', 'json/', 'mcp/'], plain: true, no_if: true },
  { folder: 'core/kit/trace', may: ['kit/trace/', 'json/', 'mcp/'], plain: true, no_if: true },
  { folder: 'core/rtos', may: ['engine/', 'json/', 'mcp/'], plain: true, no_if: true },
  // One era each: neither includes the other.
  { folder: 'core/session', may: ['session/', 'features/', 'engine/', 'rpc/', 'json/', 'mcp/'], plain: true, no_if: true },
  { folder: 'core/stateless', may: ['stateless/', 'features/', 'engine/', 'rpc/', 'json/', 'mcp/'], plain: true, no_if: true },
  { folder: 'transports/include', may: ['mcp/'], plain: true, no_if: true },
  { folder: 'transports/http', may: ['http/', 'mcp/'], plain: true, no_if: true },
  { folder: 'transports/mqtt', may: ['mqtt/', 'mcp/'], plain: true, no_if: true },
  { folder: 'transports/stdio', may: ['stdio/', 'mcp/'], plain: true, no_if: true },
  // All ports know ports/include; boards know ports/bare_metal. A header mcp/ports/X counts as the file that has this name.
  { folder: 'ports', may: ['ports/include/', 'mcp/'], top: true },
  { folder: 'ports/include', may: ['ports/include/', 'mcp/'] },
  { folder: 'ports/bare_metal', may: ['ports/bare_metal/', 'ports/include/', 'mcp/'] },
  { folder: 'ports/boards/{}', may: ['ports/boards/{}/', 'ports/bare_metal/', 'ports/include/', 'mcp/'] },
  { folder: 'ports/checks', may: ['mcp/'] },
  { folder: 'ports/devices', may: ['ports/devices/', 'ports/include/', 'mcp/'] },
  { folder: 'ports/flash', may: ['ports/flash/', 'ports/include/', 'mcp/'] },
  // A project of a user compiles these, and its include path has only mcp/. So they include files of their folder without it.
  // The port to an SDK with lwIP uses ports/lwip.
  { folder: 'ports/sdk/{}', may: ['ports/sdk/{}/', 'ports/lwip/', 'ports/include/', 'mcp/', '*'] },
  { folder: 'ports/lwip', may: ['ports/lwip/', 'ports/include/', 'mcp/'] },
  { folder: 'ports/mbedtls', may: ['ports/mbedtls/', 'ports/include/', 'mcp/'] },
  { folder: 'ports/posix', may: ['ports/posix/', 'ports/sockets/', 'ports/include/', 'mcp/'] },
  { folder: 'ports/sockets', may: ['ports/sockets/', 'ports/include/', 'mcp/'] },
  { folder: 'ports/workbench', may: ['ports/workbench/', 'ports/devices/', 'ports/include/', 'mcp/'] },
  // An application includes its own files without a folder.
  { folder: 'examples/{}', may: ['mcp/', 'ports/', '*'] },
];

// The first and the last include of each public header (the files below `folders` that match `headers`). They hide macros of
// an SDK, and restore them. Every folder may include them, and only they have conditional compilation.
export const frame = {
  headers: /(^|\/)include\/mcp\/.*\.hpp$/,
  folders: ['core', 'transports', 'ports'],
  first: 'mcp/detail/prelude.hpp',
  last: 'mcp/detail/epilogue.hpp',
};

// Each folder directly in one of these needs a rule in `includes`.
export const ruled = ['core', 'transports', 'ports'];

// Headers of the standard library that core and transports may include. They need no heap, platform or exceptions.
// Before you add a header, check what it includes, and the time that it takes: on a PC, <atomic> and <iterator> take longer
// than all of these. mcp/detail/atomic.hpp has atomics, and <span> and <string_view> have std::size(). <new> is for
// placement new; the heap gate finds every other use.
export const plain_headers = [
  'algorithm', 'array', 'bit', 'climits', 'compare', 'concepts', 'cstdarg', 'cstddef', 'cstdint', 'cstring',
  'initializer_list', 'limits', 'new', 'numeric', 'optional', 'span', 'string_view', 'tuple', 'type_traits',
  'utility',
];
// Additional headers for one file each. Applications that use coroutines include mcp/coroutine.hpp.
// assert() says whether a build is a debug build.
export const plain_exceptions = {
  'core/include/mcp/coroutine.hpp': ['coroutine'], 'core/features/frame_pool.cpp': ['cassert'],
};

// A transport carries messages. It names no method and no protocol version of MCP (only `own`, the methods of MCP over
// MQTT), reads no JSON, and calls only the functions of a Server that the contract names. `never` lists the begins of
// headers that are not for transports.
export const transports = {
  folders: ['transports', 'examples/own_transport'],
  methods:
    /(?<![\w.$/-])(?:notifications|(?:completion|elicitation|logging|prompts|resources|roots|sampling|server|subscriptions|tasks|tools)(?=\/[a-z]))\/[a-zA-Z_/]+|(?<=")(?:initialize|ping|20\d\d-\d\d-\d\d)(?=\\?")/g,
  own: ['notifications/disconnected', 'notifications/server/online'],
  readers: ['DecodedBytes', 'Elements', 'MemberIndex', 'Members', 'Object', 'Value', 'find_member', 'find_members', 'validate'],
  contract: 'core/include/mcp/transport.hpp',
  never: ['mcp/detail/', 'mcp/json/raw_string', 'mcp/json/scan', 'mcp/json/validate', 'mcp/json/value', 'mcp/server.hpp'],
  servers: ['Server', 'server', 'server_'],
};

// A function below `folder` has at most `most` lines, from the opening brace to the closing brace. A test may contain a
// table, so its limit is higher.
export const lengths = [
  { folder: 'core', most: 60 },
  { folder: 'transports', most: 60 },
  { folder: 'ports', most: 60 },
  { folder: 'examples', most: 60 },
  { folder: 'tests', most: 90 },
];

// A file below `folder` whose name matches `files` has at most `most` lines, so that its name says its subject. `longer`
// lists the files that exceed the limit today.
export const file_lengths = {
  folder: 'tests',
  files: /\.(cpp|mjs)$/,
  most: 900,
  longer: [],
};

// Two sources below `folders` must not have the same file name. `shared` lists the names that several sources have
// today.
export const unique_names = {
  folders: ['core', 'transports', 'ports'],
  // Of a Network, and of a Pico W: the name is lwIP's. The others replace those of core: on a PC, and with MOTE_CHECKS.
  shared: ['lwipopts.h', 'contract.hpp', 'checks.hpp'],
};

// A folder below `folders` contains at most `most` sources. The limit does not apply to `public` folders, whose headers
// users include. `larger` lists the folders that exceed the limit today.
export const files_per_folder = {
  folders: ['core', 'transports', 'ports', 'examples'],
  most: 24,
  public: ['core/include/mcp', 'transports/include/mcp'],
  larger: {},
};

// The first line of each source in `files` and below `folders`, after a shebang, is a comment with `text`. A source has
// one of `endings`, or a shebang.
export const license = {
  text: 'SPDX-License-Identifier: Apache-2.0',
  folders: ['.ci', '.github', 'core', 'examples', 'ports', 'tests', 'toolchains', 'transports'],
  files: ['CMakeLists.txt'],
  endings: ['.hpp', '.cpp', '.h', '.S', '.ld', '.emulator', '.cmake', 'CMakeLists.txt', '.mjs', '.py', '.yml'],
};

// These places have the same version.
export const versions = [
  { file: 'CMakeLists.txt', pattern: /^project\(mote VERSION ([0-9.]+) /m },
  { file: 'core/include/mcp/version.hpp', pattern: / version = "([0-9.]+)"/ },
  {
    file: 'core/include/mcp/version.hpp',
    pattern: /version_major = ([0-9]+);[^]*?version_minor = ([0-9]+);[^]*?version_patch = ([0-9]+);/,
  },
  { file: 'CHANGELOG.md', pattern: /^## ([0-9.]+)/m },
  { file: 'ports/sdk/arduino/library.properties', pattern: /^version=([0-9.]+)$/m },
  { file: 'toolchains/attach/package.json', pattern: /^  "version": "([0-9.]+)"/m },
  { file: 'toolchains/attach/package-lock.json', pattern: /^  "version": "([0-9.]+)"/m },
  { file: 'toolchains/attach/lib/rpc.mjs', pattern: /name: 'mote-attach', version: '([0-9.]+)'/ },
];

// In the workflows of this folder, each `run:` line that begins with the path of a program names one that exists, with
// options that occur in the program. The list after `boards` has the names of the folders in ports/boards. Each action
// is named by the hash of its commit, and each image by its digest, except `tags`, whose digests were not seen.
export const workflows = {
  folder: '.github/workflows', boards: 'board',
  tags: ['espressif/idf:release-${{ matrix.version }}', 'ghcr.io/zephyrproject-rtos/ci:v0.28.8'],
};

// `code` occurs at most `most` times in the files below `folders` whose names end with `ending`, without the files of
// `except`.
export const counts = [
  {
    // Only the plug boards name optional code, and params.hpp the codecs, which rows choose.
    name: 'extern const in public headers without plug boards and codecs',
    code: ['extern', 'const'],
    folders: ['core/include', 'transports/include'],
    ending: '.hpp',
    except: ['core/include/mcp/detail/link.hpp', 'core/include/mcp/params.hpp', 'transports/include/mcp/http/http_link.hpp'],
    most: 0,
  },
  { name: 'friend in transports/http', code: ['friend'], folders: ['transports'], ending: 'pp', most: 0 },
];

// Words that comments and documents do not contain, because they hide the actor or have a plain replacement. `files`
// selects the files below `folders`. `later` lists the paths that still contain some.
export const words = {
  forbidden: [
    'nobody', 'somebody', 'everybody', 'anybody', 'whoever', 'anew', 'mended', 'good-bye', 'taken back', 'given up',
    'of its like', 'makes room', 'comes round', 'held against',
  ],
  folders: ['.ci', 'core', 'examples', 'ports', 'tests', 'toolchains', 'transports'],
  top: ['CHANGELOG.md', 'CMakeLists.txt', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md'],
  files: /\.([ch]pp|md|mjs|cmake|bash|sh)$|\/(CMakeLists\.txt|[a-z0-9_-]+)$/,
  later: [
    'tests/fuzz/regressions',
    // Its strings contain the words.
    'tests/structure/structure_reports.mjs',
  ],
};

// A document has at most `most` words, counted as `wc -w` does. With `section`, only the section below the heading that
// matches counts, up to the next heading of the same level.
export const documents = [
  // No version before it was released, so a list of changes tells a user nothing.
  { file: 'CHANGELOG.md', section: /^## .*, unreleased$/, most: 1000 },
  // Doc comments describe names. This document describes what spans several files.
  { file: 'core/README.md', most: 6000 },
];
