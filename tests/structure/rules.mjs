// The rules of the house, as data: structure.mjs checks them, and core/README.md says why they are so.

// Paths that begin with one of these are the project's, in angle brackets, too.
export const project = ['mcp', 'json', 'rpc', 'memory', 'engine', 'features', 'session', 'stateless', 'http', 'stdio', 'core', 'transports', 'ports', 'examples', 'tests'];

// Who includes whom: the files of FOLDER and of the folders in it include from the project only what begins with one of MAY.
// `*` stands for a file, not a folder. `{}` at the end of FOLDER is each folder there, and in MAY the name of that folder.
//   top    only the files directly in FOLDER
//   plain  from elsewhere only plain_headers
//   no_if  no conditional compilation
export const includes = [
  { folder: 'core/include', may: ['mcp/'], plain: true, no_if: true },
  { folder: 'core/include/mcp/json', may: ['mcp/json/'] },
  { folder: 'core/include/mcp/memory', may: ['mcp/memory/'] },
  { folder: 'core/include/mcp/rpc', may: ['mcp/rpc/', 'mcp/json/'] },
  { folder: 'core/json', may: ['json/', 'mcp/json/'], plain: true, no_if: true },
  { folder: 'core/memory', may: ['mcp/memory/'], plain: true, no_if: true },
  { folder: 'core/rpc', may: ['rpc/', 'mcp/rpc/', 'mcp/json/'], plain: true, no_if: true },
  { folder: 'core/engine', may: ['engine/', 'rpc/', 'json/', 'mcp/'], plain: true, no_if: true },
  { folder: 'core/features', may: ['features/', 'engine/', 'rpc/', 'json/', 'mcp/'], plain: true, no_if: true },
  // One era each: neither includes the other.
  { folder: 'core/session', may: ['session/', 'features/', 'engine/', 'rpc/', 'json/', 'mcp/'], plain: true, no_if: true },
  { folder: 'core/stateless', may: ['stateless/', 'features/', 'engine/', 'rpc/', 'json/', 'mcp/'], plain: true, no_if: true },
  { folder: 'transports/include', may: ['mcp/'], plain: true, no_if: true },
  { folder: 'transports/http', may: ['http/', 'mcp/'], plain: true, no_if: true },
  { folder: 'transports/stdio', may: ['stdio/', 'mcp/'], plain: true, no_if: true },
  // What several ports share lies in ports/ itself.
  { folder: 'ports', may: ['ports/*', 'mcp/'], top: true },
  { folder: 'ports/{}', may: ['ports/{}/', 'ports/*', 'mcp/'] },
  // An application joins what it needs; files of its own have no folder in their name.
  { folder: 'examples/{}', may: ['mcp/', 'ports/', '*'] },
];

// Each folder directly in these has a rule in the table above.
export const ruled = ['core', 'transports'];

// What core and transports may use of the standard library: what needs no heap, no platform and no exceptions. A header
// that is missing here is not forbidden forever: look at what it includes, then add it. Of <new> it is the form that puts
// an object where memory is: the heap gate sees the others.
export const plain_headers = [
  'algorithm', 'array', 'atomic', 'bit', 'climits', 'compare', 'concepts', 'cstdarg', 'cstddef', 'cstdint', 'cstring',
  'initializer_list', 'iterator', 'limits', 'new', 'numeric', 'optional', 'span', 'string_view', 'tuple', 'type_traits',
  'utility',
];
// What one file alone may use besides. Coroutines are for applications that include mcp/coroutine.hpp.
export const plain_exceptions = { 'core/include/mcp/coroutine.hpp': ['coroutine'] };

// No function of the files below FOLDER has more than MOST lines from its opening brace to its end. A test may have the rows
// of a table in it.
export const lengths = [
  { folder: 'core', most: 60 },
  { folder: 'transports', most: 60 },
  { folder: 'ports', most: 60 },
  { folder: 'examples', most: 60 },
  { folder: 'tests', most: 90 },
];

// No two sources below these folders have the same file name, in whatever folders they are. SHARED are the names that more
// than one source has today.
export const unique_names = {
  folders: ['core', 'transports', 'ports'],
  shared: [
    'board.hpp', 'clock.cpp', 'ethernet.cpp', 'registers.hpp', 'startup.cpp', 'tcp.cpp', 'tcp.hpp', 'uart.cpp',
  ],
};

// At most so many sources are directly in a folder below FOLDERS; public folders, whose headers users include, do not count.
export const files_per_folder = {
  folders: ['core', 'transports', 'ports', 'examples'],
  most: 24,
  public: ['core/include/mcp', 'transports/include/mcp'],
  larger: {},
};

// A text of code, and in how many places it may be in the files below FOLDERS whose names end with ENDING.
export const counts = [
  {
    name: 'extern const in public headers',
    code: ['extern', 'const'],
    folders: ['core/include', 'transports/include'],
    ending: '.hpp',
    most: 66,
  },
  { name: 'friend in transports/http', code: ['friend'], folders: ['transports'], ending: 'pp', most: 6 },
];
