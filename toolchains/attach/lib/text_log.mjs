// SPDX-License-Identifier: Apache-2.0
// The last bytes of the text that a device wrote beside its messages.

export class TextLog {
  #bytes = Buffer.alloc(0);
  /** Bytes that were ever written. */
  position = 0;

  /** @param {number} size bytes that it keeps */
  constructor(size = 65536) {
    this.size = size;
  }

  /** @param {string} line without its line end */
  add(line) {
    const added = Buffer.from(`${line}\n`);
    this.position += added.length;
    this.#bytes = Buffer.concat([this.#bytes, added]).subarray(-this.size);
  }

  /**
   * The newest text after the position `since`, at most `most` bytes. `lost` is the number of bytes since that position
   * that are not in it.
   * @param {number} since @param {number} most
   */
  read(since, most) {
    const fresh = Math.max(0, Math.min(this.position - since, this.position));
    const kept = Math.min(fresh, this.#bytes.length, most);
    const text = kept === 0 ? '' : this.#bytes.subarray(-kept).toString('utf8');
    return { text, position: this.position, lost: fresh - kept };
  }
}
