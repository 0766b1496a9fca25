// SPDX-License-Identifier: Apache-2.0
// A folder as the /sys of Linux, with the devices of a Raspberry Pi that has an accelerometer, a barometer and a
// converter.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { atEnd } from '../at_end.mjs';

export class Sysfs {
  constructor(t) {
    this.root = mkdtempSync(join(tmpdir(), 'mote-sysfs-'));
    atEnd(t, () => rmSync(this.root, { recursive: true, force: true }));
    for (const folder of ['class/hwmon', 'bus/iio/devices']) mkdirSync(join(this.root, folder), { recursive: true });
  }

  /** Writes files: { name: value }. A value gets a line end, as in the kernel. */
  set(folder, files) {
    for (const [name, value] of Object.entries(files)) {
      const file = join(this.root, folder, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${value}\n`);
    }
  }

  #link(from, to) {
    mkdirSync(dirname(join(this.root, from)), { recursive: true });
    symlinkSync(relative(dirname(join(this.root, from)), join(this.root, to)), join(this.root, from));
  }

  /** A device on a bus. */
  device(folder, bus) {
    mkdirSync(join(this.root, folder), { recursive: true });
    mkdirSync(join(this.root, 'bus', bus), { recursive: true });
    this.#link(`${folder}/subsystem`, `bus/${bus}`);
    return folder;
  }

  hwmon(number, device, files) {
    const folder = `${device}/hwmon/hwmon${number}`;
    this.set(folder, files);
    this.#link(`${folder}/device`, device);
    this.#link(`class/hwmon/hwmon${number}`, folder);
    return folder;
  }

  iio(number, device, files) {
    const folder = `${device}/iio:device${number}`;
    this.set(folder, files);
    this.#link(`bus/iio/devices/iio:device${number}`, folder);
    return folder;
  }

  /** Removes the device that drivers list as this entry, such as class/hwmon/hwmon0. */
  remove(entry) {
    rmSync(join(this.root, entry));
  }
}

const i2c = 'devices/platform/soc/fe804000.i2c/i2c-1';

/** A Raspberry Pi 4, as Linux 6.1 lists its sensors. */
export function raspberryPi(t) {
  const sysfs = new Sysfs(t);
  const zone = 'devices/virtual/thermal/thermal_zone0';
  sysfs.hwmon(0, zone, { name: 'cpu_thermal', temp1_input: 48686, temp1_crit: 110000 });
  const firmware = sysfs.device('devices/platform/soc/soc:firmware/raspberrypi-hwmon', 'platform');
  sysfs.hwmon(1, firmware, { name: 'rpi_volt', in0_lcrit_alarm: 0 });
  const ina = sysfs.device(`${i2c}/1-0040`, 'i2c');
  sysfs.hwmon(2, ina, {
    name: 'ina219', in0_input: 10, in1_input: 12004, in1_label: 'solar', curr1_input: -101, power1_input: 1220000,
    shunt_resistor: 100000, update_interval: 1,
  });
  const bmp = sysfs.device(`${i2c}/1-0076`, 'i2c');
  sysfs.iio(0, bmp, {
    name: 'bmp280', in_temp_input: 25080, in_pressure_input: '100.653265625', in_temp_oversampling_ratio: 2,
    in_pressure_oversampling_ratio_available: '1 2 4 8 16',
  });
  const ads = sysfs.device(`${i2c}/1-0048`, 'i2c');
  sysfs.iio(1, ads, {
    name: 'ads1015', in_voltage0_raw: 1650, in_voltage0_scale: '1.000000000', 'in_voltage0-voltage1_raw': -12,
    'in_voltage0-voltage1_scale': '0.500000000', in_voltage0_sampling_frequency: 1600,
  });
  const mpu = sysfs.device(`${i2c}/1-0068`, 'i2c');
  sysfs.iio(2, mpu, {
    name: 'mpu6050', label: 'accel-base', in_accel_x_raw: 16384, in_accel_y_raw: -16384, in_accel_z_raw: 0,
    in_accel_scale: '0.000598', in_accel_mount_matrix: '1, 0, 0; 0, 1, 0; 0, 0, 1', in_temp_raw: -1520,
    in_temp_scale: '2.941176', in_temp_offset: 12420, current_timestamp_clock: 'realtime',
  });
  return sysfs;
}
