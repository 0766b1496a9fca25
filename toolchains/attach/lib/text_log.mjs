// SPDX-License-Identifier: Apache-2.0
// The last bytes of the text that a device wrote beside its messages.

export class TextLog {
  #ring;  // the byte of each position is at the position modulo the size
  /** Bytes that were ever written. */
  position = 0;

  /** @param {number} size bytes that it keeps */
  constructor(size = 65536) {
    this.size = size;
    this.#ring = Buffer.alloc(size);
  }

  /** @param {string} line without its line end */
  add(line) {
    const added = Buffer.from(`${line}\n`);
    this.position += added.length;
    const kept = added.subarray(-this.size);
    const at = (this.position - kept.length) % this.size;
    const copied = kept.copy(this.#ring, at);
    kept.copy(this.#ring, 0, copied);
  }

  /**
   * The newest text after the position `since`, at most `most` bytes. `lost` is the number of bytes since that position
   * that are not in it.
   * @param {number} since @param {number} most
   */
  read(since, most) {
    const fresh = Math.max(0, Math.min(this.position - since, this.position));
    const kept = Math.min(fresh, this.size, most);
    const at = (this.position - kept) % this.size;
    const begin = this.#ring.subarray(at, at + kept);
    const bytes = Buffer.concat([begin, this.#ring.subarray(0, kept - begin.length)]);
    return { text: bytes.toString('utf8'), position: this.position, lost: fresh - kept };
  }
}
