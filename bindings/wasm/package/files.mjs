// Files in memory, as the module's C library asks for them through WASI (snapshot preview 1): one folder "/", read only. A file that is
// not where it is looked for is found by its name alone, since files that are dropped on a page have lost their folders.

const SUCCESS = 0, BAD_FILE = 8, NO_ENTRY = 44, UNSUPPORTED = 52;
const FOLDER = 3; // the first that is open already: 0, 1 and 2 are input and outputs
const IS_FOLDER = 3, IS_FILE = 4; // file types
const ALL_RIGHTS = 0xffffffffffffffffn;

const bytesOf = (content) => typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
const nameOf = (path) => path.slice(path.lastIndexOf("/") + 1).toLowerCase();

/** "a/./b/../c" without what it does not need; folders above the root are the root. */
function plain(path) {
  const parts = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop(); else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}

export class Files {
  /** memory: () => the module's */
  constructor(memory) {
    this.memory = memory;
    this.clear();
  }

  clear() {
    this.files = new Map();
    this.open = new Map();
    this.next = FOLDER + 1;
  }

  add(path, content) { this.files.set(plain(path), bytesOf(content)); }

  /** @private */
  find(at, length) {
    const path = plain(new TextDecoder().decode(new Uint8Array(this.memory().buffer, at, length)));
    const here = this.files.get(path);
    if (here) return here;
    const alike = [...this.files.keys()].filter((key) => nameOf(key) === nameOf(path));
    return alike.length > 0 && nameOf(path) !== "" ? this.files.get(alike[0]) : null;
  }

  /** The functions that WASI calls. */
  calls() {
    const view = () => new DataView(this.memory().buffer), isOpen = (fd) => fd === FOLDER || this.open.has(fd);
    const putStat = (at, bytes) => {
      const v = view();
      for (let k = 0; k < 64; k += 8) v.setBigUint64(at + k, 0n, true);
      v.setUint8(at + 16, bytes ? IS_FILE : IS_FOLDER);
      v.setBigUint64(at + 24, 1n, true); // links
      v.setBigUint64(at + 32, BigInt(bytes?.length ?? 0), true);
      return SUCCESS;
    };
    return {
      fd_prestat_get: (fd, at) => {
        if (fd !== FOLDER) return BAD_FILE;
        view().setUint32(at, 0, true);
        view().setUint32(at + 4, 1, true); // length of "/"
        return SUCCESS;
      },
      fd_prestat_dir_name: (fd, at) => { new Uint8Array(this.memory().buffer)[at] = 0x2f; return fd === FOLDER ? SUCCESS : BAD_FILE; },
      fd_fdstat_get: (fd, at) => {
        if (!isOpen(fd)) return BAD_FILE;
        const v = view();
        v.setBigUint64(at, 0n, true);
        v.setUint8(at, fd === FOLDER ? IS_FOLDER : IS_FILE);
        v.setBigUint64(at + 8, ALL_RIGHTS, true);
        v.setBigUint64(at + 16, ALL_RIGHTS, true);
        return SUCCESS;
      },
      path_open: (_fd, _lookup, path, length, _open, _rights, _inherited, _flags, to) => {
        const bytes = this.find(path, length);
        if (!bytes) return NO_ENTRY;
        const fd = this.next++;
        this.open.set(fd, { bytes, at: 0 });
        view().setUint32(to, fd, true);
        return SUCCESS;
      },
      path_filestat_get: (_fd, _flags, path, length, to) => {
        const bytes = this.find(path, length);
        return bytes ? putStat(to, bytes) : NO_ENTRY;
      },
      fd_filestat_get: (fd, to) => isOpen(fd) ? putStat(to, this.open.get(fd)?.bytes) : BAD_FILE,
      fd_read: (fd, list, count, to) => {
        const file = this.open.get(fd), v = view();
        if (!file) return BAD_FILE;
        let got = 0;
        for (let i = 0; i < count; ++i) {
          const at = v.getUint32(list + 8 * i, true), room = v.getUint32(list + 8 * i + 4, true);
          const piece = file.bytes.subarray(file.at, file.at + room);
          new Uint8Array(this.memory().buffer).set(piece, at);
          file.at += piece.length;
          got += piece.length;
        }
        v.setUint32(to, got, true);
        return SUCCESS;
      },
      fd_seek: (fd, offset, whence, to) => {
        const file = this.open.get(fd);
        if (!file) return BAD_FILE;
        const from = [0, file.at, file.bytes.length][whence];
        file.at = Math.max(0, from + Number(offset));
        view().setBigUint64(to, BigInt(file.at), true);
        return SUCCESS;
      },
      fd_close: (fd) => this.open.delete(fd) ? SUCCESS : BAD_FILE,
      fd_write: () => UNSUPPORTED,
    };
  }
}
