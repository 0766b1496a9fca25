// SPDX-License-Identifier: Apache-2.0
// How to start examples/thermometer, and how to change what its sensor sees: on this machine and on the emulated board.
// Knows no MCP: a thermometer is { command, args } or { url } for any client, setTemperature() and close().
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBoard, startBoardHttp, startHttp, startServer } from './http.mjs';
import { LineClientTransport } from './lines.mjs';
import { Broker, MqttClientTransport } from './mqtt.mjs';
import { Qmp } from './qmp.mjs';
import { usedStack } from './stack.mjs';

// Short, because the path of a Unix socket has at most 107 characters.
function temporaryFolder() {
  return mkdtempSync(join(tmpdir(), 'mote-'));
}

/** Whether `thermometer` shows the temperature `shown` when its sensor has `celsius`. A sensor may have coarse steps. */
export function isAt(thermometer, shown, celsius) {
  return thermometer.shows === undefined ? shown === celsius : Math.abs(shown - thermometer.shows(celsius)) < 0.01;
}

/** The host binary, whose sensor is a file. `celsius` is the first temperature. */
export async function hostThermometer(binary, celsius) {
  const folder = temporaryFolder();
  const sensor = join(folder, 'sensor');
  // By renaming, so that the server never sees half a number.
  const setTemperature = async (value) => {
    writeFileSync(`${sensor}.new`, `${Math.round(value * 1000)}\n`);
    renameSync(`${sensor}.new`, sensor);
  };
  await setTemperature(celsius);
  return {
    command: binary,
    args: ['--sensor', sensor],
    setTemperature,
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The host binary that serves HTTP, started with more `args`. Its process is `process`, see startHttp(). */
export async function httpThermometer(binary, celsius, ...args) {
  const { setTemperature, ...sensor } = await hostThermometer(binary, celsius);
  const server = await startHttp(binary, ['--port', '0', ...sensor.args, ...args]);
  const close = async () => {
    await server.end();
    sensor.close();
  };
  return { url: server.url, process: server, setTemperature, close };
}

/** The host binary that serves clients of a broker. Both run. `broker` is a Broker, `device` the process. */
export async function mqttThermometer(binary, celsius, settings, files, args = []) {
  const { setTemperature, ...sensor } = await hostThermometer(binary, celsius);
  const broker = await Broker.start(settings, files);
  const id = 'thermometer-1';
  const name = 'house/roof';
  const start = () => startServer(
    binary, ['--broker', `127.0.0.1:${broker.port}`, '--id', id, '--name', name, ...args, ...sensor.args], /: online\n/);
  const server = {
    broker, id, name, setTemperature,
    transport: (options) => new MqttClientTransport({ url: broker.url, id, name, ...options }),
    start: async () => { server.device = await start(); },
    close: async () => {
      await server.device.end();
      await broker.close();
      sensor.close();
    },
  };
  await server.start();
  return server;
}

/** The host binary with a transport of its own, which sends lines over TCP. `port` is its port, `process` the process. */
export async function linesThermometer(binary, celsius) {
  const { args: [, sensor], setTemperature, close } = await hostThermometer(binary, celsius);
  const server = await startHttp(binary, [sensor]);
  const port = Number(new URL(server.url).port);
  return {
    port, setTemperature, process: server,
    transport: () => new LineClientTransport(port),
    close: async () => {
      await server.end();
      close();
    },
  };
}

/** The image for clients of the `broker` on an emulated board with the number `number`, 0 to 9. It is online. */
export async function boardOnBroker(broker, number, emulate, board, image, celsius) {
  const { args: [, , , ...args], close, stackUse, setTemperature } = await boardThermometer(emulate, board, image, celsius);
  const id = `thermometer-52540000000${number}`;
  const name = 'thermometer';
  const options = ['--reach', `8883:${broker.tlsPort}`, '--mac', `52:54:00:00:00:0${number}`];
  const device = await startBoard(emulate, board, image, options, args, new RegExp(`^${id}: online\r\n`, 'm'));
  return {
    id, name, device, stackUse, setTemperature,
    transport: (more) => new MqttClientTransport({ url: broker.url, id, name, ...more }),
    close: async () => {
      await device.end();
      close();
    },
  };
}

/** One such board, and the broker. The folder MOTE_CERTIFICATES has the certificates of both. */
export async function boardMqttThermometer(...board) {
  const broker = await Broker.start(undefined, undefined, { certificates: process.env.MOTE_CERTIFICATES });
  const server = await boardOnBroker(broker, 7, ...board);
  return {
    ...server, broker,
    close: async () => {
      await server.close();
      await broker.close();
    },
  };
}

/**
 * The firmware `image` on the emulated `board`, whose sensor is set through QMP. `emulate` is toolchains/emulate, and
 * `more` are further arguments of the emulator.
 */
export async function boardThermometer(emulate, board, image, celsius, more = []) {
  const folder = temporaryFolder();
  const socket = join(folder, 'qmp');
  const qmp = await Qmp.listen(socket);
  const setTemperature = (value) => qmp.execute('qom-set', {
    path: '/machine/peripheral/t0', property: 'temperature', value: Math.round(value * 1000),
  });
  // -S holds the processor until `cont`, so that the firmware's first reading already sees `celsius`. If the emulator
  // does not get that far, the client's handshake fails with an error, and this chain adds none.
  setTemperature(celsius).then(() => qmp.execute('cont')).catch(() => {});
  return {
    stackUse: () => usedStack(qmp, image),
    execute: (...what) => qmp.execute(...what),
    command: emulate,
    args: [board, image, '--', '-S', '-qmp', `unix:${socket},server=off`, ...more],
    setTemperature,
    close: () => {
      qmp.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The same with an image that serves HTTP, started. */
export async function boardHttpThermometer(emulate, board, image, celsius) {
  const { args: [, , , ...args], close, ...sensor } = await boardThermometer(emulate, board, image, celsius);
  const server = await startBoardHttp(emulate, board, image, args);
  return {
    url: server.url,
    process: server,
    stackUse: sensor.stackUse,
    setTemperature: sensor.setTemperature,
    close: async () => {
      await server.end();
      close();
    },
  };
}
