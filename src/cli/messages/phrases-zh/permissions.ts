import type { Phrases } from "../translator.js";

/** Why a call is allowed, asked about or denied. */
export const permissions: Phrases = {
  // Paths.
  '"{path}" is under /proc, which exposes other files and the environment':
    "“{path}”位于 /proc 下，那里会暴露其他文件和环境变量",
  '"{path}" leads outside the workspace, where nothing is written':
    "“{path}”指向工作区之外，那里不写入任何内容",
  '"{path}" decides what may run here, so it is never written by the agent':
    "“{path}”决定这里能运行什么，因此助手从不写入",
  'the mode "plan" changes no files': "plan 模式不更改文件",
  'the mode "bypass" asks nothing': "bypass 模式一概不问",
  '"{path}" has a protected name (it steers tools or holds secrets)':
    "“{path}”的名称受保护（会影响工具，或含有机密）",
  '"{path}" leads outside the workspace': "“{path}”指向工作区之外",
  '"{path}" is a usual place of keys or passwords': "“{path}”通常存放密钥或密码",
  'the mode "accept-edits" lets files inside the workspace be changed':
    "accept-edits 模式允许更改工作区内的文件",
  "you allowed edits in this workspace": "你已允许更改此工作区内的文件",
  "files are changed only after a question": "更改文件之前要先询问",
  "reading inside the workspace is free": "读取工作区内的内容无需询问",
  "the path is empty": "路径为空",
  "the path contains a NUL character": "路径含有 NUL 字符",
  '"{path}" is a device, stream or network path of Windows': "“{path}”是 Windows 的设备、流或网络路径",
  '"{path}" goes through a file as if it were a folder': "“{path}”把文件当作文件夹穿过",
  '"{path}" is neither a regular file nor a folder': "“{path}”既不是普通文件，也不是文件夹",
  '"{path}" goes through a link without a target': "“{path}”经过的链接没有目标",
  '"{path}" goes through links that form a loop': "“{path}”经过的链接形成循环",
  '"{path}" is too long for a path': "“{path}”作为路径太长",
  '"{path}" cannot be followed ({code})': "“{path}”无法跟踪到底（{code}）",
  '"{path}" matches too many files, or files outside': "“{path}”匹配的文件太多，或匹配到工作区之外的文件",
  "it touches nothing": "它不触及任何内容",
  "changes are free here, but not one that may lose what was not looked at":
    "这里的更改无需询问，但可能丢失未查看内容的更改除外",

  // The line as a whole.
  "the line is longer than bash can be given; put it into a script file":
    "命令行过长，无法交给 bash；请写入脚本文件",
  "it could not be judged ({why:phrase})": "无法判断（{why}）",
  "no bash was found to run it as it was read": "没有找到 bash，无法按所读的方式运行",
  "the command is empty": "命令为空",
  "the line holds control characters": "命令行含有控制字符",
  "the line holds invisible characters, or ones that reorder text":
    "命令行含有不可见字符，或会改变文字顺序的字符",
  "the line holds broken characters": "命令行含有损坏的字符",
  "the line is too long to be read before it runs": "命令行太长，运行前无法读完",
  "the line is no valid bash ({error})": "命令行不是有效的 bash（{error}）",
  'a loop sets the variable "{name}"': "循环设置了变量“{name}”",
  'the line defines the function "{name}"': "命令行定义了函数“{name}”",
  'the line uses "{what}"': "命令行使用了“{what}”",
  'the line uses "{what}", where a text can run a command': "命令行使用了“{what}”，其中的文字可能运行命令",
  "the line has a part of an unknown kind ({kind})": "命令行含有未知类型的部分（{kind}）",
  '"{text}" could not be read': "无法读懂“{text}”",
  "a word or an operator is split over two lines": "有词或运算符被拆到两行",
  "the line could not be read ({error})": "无法读懂命令行（{error}）",
  "there is no command to run": "没有要运行的命令",
  "a redirect stands without a command": "有重定向而没有命令",
  "shells are nested too deeply": "shell 嵌套太深",

  // Rules.
  'no rule allows "{command}"': "没有规则允许“{command}”",
  'the rule "{rule}" allows it ({origin:phrase})': "规则“{rule}”允许它（{origin}）",
  'the rule "{rule}" forbids it ({origin:phrase})': "规则“{rule}”禁止它（{origin}）",
  "a rule for exactly this line allows it ({origin:phrase})": "有一条规则正好允许这一整行（{origin}）",
  'the mode "plan" runs only allowed commands of the built-in read-only list':
    "plan 模式只运行内置只读列表中被允许的命令",
  "built-in read-only list": "内置只读列表",
  "kept by an answer": "由回答保留",
  "this session": "本次会话",
  "it is empty": "它是空的",
  '"{name}" is no plain program name (patterns, operators and quotes do not count)':
    "“{name}”不是普通的程序名（模式、运算符和引号不算）",
  '"{word}" is no plain word (patterns, operators and quotes do not count)':
    "“{word}”不是普通的词（模式、运算符和引号不算）",
  '"{name}" runs or changes whatever it is told, so nearly anything runs unasked':
    "“{name}”会运行或更改任何指定的内容，因此几乎一切都会不经询问运行",
  '"{rule}": {problem:known}': "“{rule}”：{problem}",
  '"{rule}" is no rule: {problem:known}': "“{rule}”不是规则：{problem}",

  // Never.
  "it hides another command among too many words": "它在过多的词中隐藏了另一条命令",
  "it changes or deletes a system folder or the home folder with everything in it":
    "它会更改或删除系统文件夹或主文件夹及其全部内容",
  "it deletes what is in a system folder or the home folder": "它会删除系统文件夹或主文件夹中的内容",
  "it formats or wipes a disk": "它会格式化或擦除磁盘",
  "it overwrites a disk": "它会覆盖磁盘",
  "it starts copies of itself without end": "它会无休止地启动自身的副本",
};
