import type { Phrases } from "../translator.js";

/** Mistakes in files, flags and variables, and trouble with the folders of this program. */
export const config: Phrases = {
  "{path} is not read; the names are .mini-cc.json in the project and {userFile} for the user.":
    "{path} 不会被读取；有效的文件是项目中的 .mini-cc.json 和用户的 {userFile}。",
  "The folder {path} cannot be used: {why:phrase}": "无法使用文件夹 {path}：{why}",
  "it is not a folder": "它不是文件夹",
  "Name an existing folder with --cwd.": "请用 --cwd 指定一个存在的文件夹。",
  '"{scheme}://" is not http:// or https://': "“{scheme}://”不是 http:// 或 https://",
  "a server address must not hold a user name or password": "服务器地址不能含有用户名或密码",
  '"{address}" must not hold "?" or "#"': "“{address}”不能含有“?”或“#”",
  '"{address}" is not a server address such as 127.0.0.1:11434':
    "“{address}”不是服务器地址，正确的例子：127.0.0.1:11434",
  "Write it as host:port or http://host:port, for example http://127.0.0.1:11434.":
    "请写成 host:port 或 http://host:port，例如 http://127.0.0.1:11434。",
  "its content is damaged; move it away first": "其内容已损坏；请先把它移走",

  // A value that does not fit, behind a flag, a variable or a place in a file.
  "{source:word}: {issue:known}": "{source}：{issue}",
  "{source:word} {value}: {issue:known}": "{source} {value}：{issue}",
  "Correct {source:word}; the file key {key:word} takes the same values.":
    "请更正 {source}；配置文件中的 {key} 接受同样的值。",
  "{path}:{line:number}:{column:number}: {issue:known}": "{path}:{line}:{column}：{issue}",
  "{path}:{line:number}:{column:number}: {key:word}: {issue:known}": "{path}:{line}:{column}：{key}：{issue}",
  '{path}:{line:number}:{column:number}: unknown key "{key}"; {advice:known}':
    "{path}:{line}:{column}：未知的键“{key}”；{advice}",
  'did you mean "{key}"?': "是否想写“{key}”？",
  "valid keys are {keys}": "有效的键：{keys}",
  "{path}:{line:number}:{column:number}: not valid JSON: {expected:phrase}":
    "{path}:{line}:{column}：不是有效的 JSON：{expected}",
  'expected a duration such as "500ms", "5s", "30m" or "1h"': "应为时长，例如 “500ms”、“5s”、“30m” 或 “1h”",
  'expected a duration above zero and at most "596h"': "应为大于零且不超过 “596h” 的时长",
  "expected a whole number of at least {least:number}": "应为不小于 {least} 的整数",
  "expected a number of minutes above 0": "应为大于 0 的分钟数",
  "expected the name of a model": "应为模型名称",

  '{path}: {key:word} "{value}" is never taken from a project file; set it in the user file, the environment or a flag.':
    "{path}：{key}“{value}”从不取自项目文件；请在用户文件、环境变量或命令行选项中设置。",
  "it is not a regular file": "它不是普通文件",
  "it is larger than {bytes:number} bytes": "它超过 {bytes} 字节",
  "{path} cannot be read: {why:phrase}": "无法读取 {path}：{why}",
  "{path} is not UTF-8 text.": "{path} 不是 UTF-8 文本。",
  "Correct the file and start again; `mini-cc config schema` lists every key with its meaning.":
    "请更正文件后重新启动；`mini-cc config schema` 列出每个键及其含义。",
  "{path} cannot be written: {why:phrase}": "无法写入 {path}：{why}",
  "Make the folder and the file writable, and try again.": "请让该文件夹和文件可写，然后重试。",
  "Add the line with an editor, or mend the file and try again.": "请用编辑器添加这一行，或修好文件后重试。",
  "{path} exists and is left as it is.": "{path} 已存在，保持原样。",
  "Edit it, or remove it and run `mini-cc init` again.": "请编辑它，或删除后重新运行 `mini-cc init`。",
  "Make the folder writable, or set MINI_CC_HOME to one that is.":
    "请让该文件夹可写，或把 MINI_CC_HOME 设为可写的文件夹。",
  "There is no home folder to keep configuration and sessions in.": "没有可存放配置和会话的主文件夹。",
  "Set MINI_CC_HOME to a folder that you can write to.": "请把 MINI_CC_HOME 设为可写的文件夹。",
  'MINI_CC_HOME must be an absolute path, not "{path}".': "MINI_CC_HOME 必须是绝对路径，不能是“{path}”。",
  'For example MINI_CC_HOME="$PWD/state".': '例如 MINI_CC_HOME="$PWD/state"。',
  "{path} cannot be read, so that no folder is trusted.": "无法读取 {path}，因此不信任任何文件夹。",
  "{path} was damaged and is now {aside}.": "{path} 已损坏，现已改名为 {aside}。",
};
