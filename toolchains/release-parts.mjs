// SPDX-License-Identifier: Apache-2.0
// The software in the images of a release, for release-sbom.mjs and release-licenses.mjs.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const gcc = (args, input) => execFileSync('arm-none-eabi-gcc', args, { encoding: 'utf8', input });

// The version in a file of numbers, each in a line that `names` matches in this order.
function numbers(path, names) {
  const text = readFileSync(path, 'utf8');
  return names.map((name) => new RegExp(`${name}\\s+(\\d+)`).exec(text)[1]).join('.');
}

// A path that a build with the pico-sdk has stored.
function stored(name) {
  const stores = ['pico', 'pico_w', 'pico2'].map((board) => `build/release-${board}/CMakeCache.txt`).filter(existsSync);
  return new RegExp(`^${name}:[A-Z]+=(.*)$`, 'm').exec(readFileSync(stores[0], 'utf8'))[1];
}

// The first of these files that exists.
function first_of(name, files) {
  const found = files.find((file) => existsSync(file));
  if (found !== undefined) return found;
  throw new Error(`${name} has no text of its license: there is no ${files.join(' and no ')}. A folder that an older ` +
    'toolchains/fetch-sources made lacks it: delete the folder and run again.');
}

/**
 * The software in the images with these names, by id: version, license, supplier, and the files with the texts of the
 * license. `images` matches the names of the images with it, which are all of them if it is missing. The exception of
 * GCC asks for no text in an image. @param {string} version of mote @param {string[]} names
 */
export function parts_of(version, names) {
  const compiler = gcc(['-dumpfullversion']).trim();
  const newlib = /"([\d.]+)"/.exec(gcc(['-E', '-P', '-'], '#include <_newlib_version.h>\n_NEWLIB_VERSION\n'))[1];
  const of_gcc = {
    version: compiler, license: 'GPL-3.0-or-later WITH GCC-exception-3.1', supplier: 'Free Software Foundation',
    texts: [],
  };
  const parts = {
    mote: { version, license: 'Apache-2.0', supplier: 'mote', texts: ['LICENSE'] },
    libgcc: of_gcc,
    libstdcxx: { ...of_gcc, name: 'libstdc++ (headers)' },
    newlib: {
      version: newlib, license: 'NOASSERTION', supplier: 'newlib',
      texts: [first_of('newlib', ['/usr/share/doc/libnewlib-arm-none-eabi/copyright',
        join(gcc(['-print-sysroot']).trim(), '../share/doc/gcc-arm-none-eabi/license.txt')])],
    },
  };
  if (!names.some((name) => name.includes('-pico'))) return parts;

  const [sdk, usb] = [stored('PICO_SDK_PATH'), stored('PICO_TINYUSB_PATH')];
  const upstream = (folder) => ['LICENSE.TXT', 'LICENSE', 'copyright'].map((name) => join(folder, name));
  const printf = join(sdk, 'src/rp2_common/pico_printf/LICENSE');
  parts['pico-sdk'] = {
    version: numbers(join(sdk, 'pico_sdk_version.cmake'),
      ['MAJOR', 'MINOR', 'REVISION'].map((name) => `_VERSION_${name}`)),
    license: 'BSD-3-Clause', supplier: 'Raspberry Pi', images: /-pico/,
    texts: [first_of('the pico-sdk', upstream(sdk)), ...(existsSync(printf) ? [printf] : [])],
  };
  parts.tinyusb = {
    version: numbers(join(usb, 'src', 'tusb_option.h'),
      ['MAJOR', 'MINOR', 'REVISION'].map((name) => `TUSB_VERSION_${name}`)),
    license: 'MIT', supplier: 'TinyUSB', images: /-pico.*(_usb|_both|-workbench)/, texts: [first_of('TinyUSB', upstream(usb))],
  };
  return parts;
}
