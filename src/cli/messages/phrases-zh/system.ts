import type { Phrases } from "../translator.js";

/** By errno: what Node says after the code, our own words where tools tell it, and the translation. */
const ERRORS: Readonly<Record<string, readonly [node: string, chinese: string, own?: string]>> = {
  EACCES: ["permission denied", "权限不足", "permission denied"],
  EADDRINUSE: ["address already in use", "地址已被占用"],
  EBUSY: ["resource busy or locked", "资源正忙或被锁定"],
  EDQUOT: ["disk quota exceeded", "磁盘配额已用完", "the disk quota is used up"],
  EEXIST: ["file already exists", "同名文件已存在", "something with that name exists already"],
  EFBIG: ["file too large", "文件太大", "the file would be too large"],
  EINVAL: ["invalid argument", "参数无效"],
  EIO: ["i/o error", "输入输出错误"],
  EISDIR: ["illegal operation on a directory", "这是一个文件夹", "it is a folder"],
  ELOOP: ["too many symbolic links encountered", "符号链接过多", "it is a symbolic link"],
  EMFILE: ["too many open files", "打开的文件过多"],
  ENAMETOOLONG: ["name too long", "名称太长", "the name is too long"],
  ENFILE: ["file table overflow", "系统打开的文件过多"],
  ENOENT: ["no such file or directory", "没有这个文件或文件夹", "it does not exist"],
  ENOMEM: ["not enough memory", "内存不足"],
  ENOSPC: ["no space left on device", "磁盘已满", "the disk is full"],
  ENOTDIR: ["not a directory", "路径的一部分是文件，不是文件夹", "part of the path is a file, not a folder"],
  ENOTEMPTY: ["directory not empty", "文件夹不是空的"],
  EPERM: ["operation not permitted", "系统不允许此操作", "the system does not permit it"],
  EPIPE: ["broken pipe", "读取方已关闭"],
  EROFS: ["read-only file system", "文件系统是只读的", "the file system is read-only"],
  ETXTBSY: ["text file is busy", "程序文件正在使用"],
  EXDEV: ["cross-device link not permitted", "不能跨文件系统移动"],
};

/** Failures that the operating system reports, as Node words them. */
export const system: Phrases = {
  ...Object.fromEntries(
    Object.entries(ERRORS).flatMap(([code, [node, chinese, own]]): [string, string][] => [
      [`${code}: ${node}, {call:word} '{from}' -> '{to}'`, `${chinese}（${code}）：{from} → {to}`],
      [`${code}: ${node}, {call:word} '{path}'`, `${chinese}（${code}）：{path}`],
      [`${code}: ${node}, {call:word}`, `${chinese}（${code}）`],
      ...(own === undefined
        ? []
        : [[`${own} (${code})`, `${chinese}（${code}）`] satisfies [string, string]]),
    ]),
  ),
  "spawn {program} ENOENT": "没有找到程序 {program}（ENOENT）",
  "spawn {program} EACCES": "程序 {program} 不可执行（EACCES）",
  "spawn E2BIG": "参数和环境变量太长（E2BIG）",
};
