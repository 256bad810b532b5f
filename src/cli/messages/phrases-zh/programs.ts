import type { Phrases } from "../translator.js";

/** Why the words of a command are not certain to be harmless. */
export const programs: Phrases = {
  'the name of the program, "{name}", is computed': "程序名“{name}”是计算得出的",
  '"{name}" changes what later commands mean, or runs a text as commands':
    "“{name}”会改变后续命令的含义，或把文字当作命令运行",
  '{name} gives "{command}" words that cannot be checked': "{name} 给“{command}”的词无法检查",
  'after cd, the value of "$PWD" is another one': "cd 之后，“$PWD”的值会改变",
  '"{word}" is the output of a command, so what it names is not known':
    "“{word}”是命令的输出，因此不知道它指的是什么",
  '"{word}" is the output of a command': "“{word}”是命令的输出",
  '"{path}" lies outside the workspace': "“{path}”在工作区之外",
  '"{path}" has a protected name': "“{path}”的名称受保护",
  '"{text}" was not looked up': "“{text}”没有查找过",
  "where this cd leads is not certain": "无法确定这个 cd 通向哪里",
  "the line changes the folder more than once": "命令行不止一次切换文件夹",
  'after cd, "{name}" can be another file': "cd 之后，“{name}”可能是另一个文件",
  'PATH depends on the current folder, so "{name}" can be any file there':
    "PATH 依赖当前文件夹，因此“{name}”可能是其中任何文件",
  '"{name}" leads to {file}, a file of the workspace': "“{name}”指向 {file}，这是工作区中的文件",
  "the repository's git configuration could not be read ({why:phrase})": "无法读取仓库的 git 配置（{why}）",
  "the repository's git configuration can run programs ({keys})": "仓库的 git 配置可能运行程序（{keys}）",
  'it sets the variable "{name}"': "它设置了变量“{name}”",
  '"{text}" sets a variable': "“{text}”设置了变量",
  '"{text}" has no target': "“{text}”没有目标",
  '"{text}" decides what may run here, so it is never written': "“{text}”决定这里能运行什么，因此从不写入",
  '"{text}" writes a file': "“{text}”会写入文件",
  '"{text}" opens a network connection': "“{text}”会打开网络连接",
  '"{text}" is computed when the command runs': "“{text}”在命令运行时才计算",
  'the value of "${name}" is not known before the command runs': "命令运行前不知道“${name}”的值",
  '"$PWD" is split at blanks when it stands without quotes': "“$PWD”不加引号时会在空白处拆开",
  '"{word}" makes too many words': "“{word}”会展开成过多的词",

  // Commands in commands.
  "{name:word} runs other commands in its own way": "{name} 以自己的方式运行其他命令",
  "a word of {name:word} is computed": "{name} 的一个词是计算得出的",
  '{name:word} sets the variable "{variable}"': "{name} 设置了变量“{variable}”",
  'the option "{text}" of {name:word} is not known to be harmless': "不确定 {name} 的选项“{text}”是否无害",
  "{name:word} names no command": "{name} 没有指明命令",
  "zsh has a grammar of its own": "zsh 有自己的语法",
  "{name:word} takes its commands from a place that cannot be checked": "{name} 从无法检查的地方读取命令",

  // What an option or an operand does.
  '"{option}" of {program} writes a file': "{program} 的“{option}”会写入文件",
  '"{option}" of {program} runs a program': "{program} 的“{option}”会运行程序",
  '"{option}" of {program} installs hooks': "{program} 的“{option}”会安装钩子",
  '"{option}" of {program} changes files in place': "{program} 的“{option}”会就地更改文件",
  '"{option}" of {program} reads its commands from a file': "{program} 的“{option}”从文件读取命令",
  '"{option}" of {program} reads files that a file names': "{program} 的“{option}”会读取某个文件所列的文件",
  '"{option}" of {program} writes temporary files elsewhere': "{program} 的“{option}”会在别处写入临时文件",
  '"{option}" of {program} sets the clock': "{program} 的“{option}”会设置时钟",
  '"{option}" of {program} loads its filter from a file': "{program} 的“{option}”从文件加载过滤器",
  '"{option}" of {program} can change something': "{program} 的“{option}”可能更改内容",
  '"-delete" of find deletes files': "find 的“-delete”会删除文件",
  '"{option}" of tar reaches another machine': "tar 的“{option}”会访问另一台机器",
  '"{option}" of tar does more than list an archive': "tar 的“{option}”不只是列出归档内容",
  "tar has nothing to list": "tar 没有可列出的内容",
  '"-v" of printf sets a variable and can run a command': "printf 的“-v”会设置变量，并可能运行命令",
  '"{word}" can become an option of {program}': "“{word}”可能变成 {program} 的选项",
  '"{word}" evaluates its operand, which can run a command': "“{word}”会对操作数求值，可能运行命令",
  'the option "{name}" of awk can load other code': "awk 的选项“{name}”可能加载其他代码",
  "it waits for keys and can start other programs": "它会等待按键，并可能启动其他程序",
  "this {program:word} script may write files or run programs": "这段 {program} 脚本可能写入文件或运行程序",
  'uniq writes to "{path}"': "uniq 会写入“{path}”",
  '"{word}" can set the clock': "“{word}”可能设置时钟",
  '"{word}" shows environment variables or loads other files': "“{word}”会显示环境变量或加载其他文件",

  // git.
  '"{word}" before git\'s subcommand can change what git runs or where':
    "git 子命令之前的“{word}”可能改变 git 运行的内容或位置",
  '"{command}" may be an alias; only a rule that names it covers it':
    "“{command}”可能是别名；只有写明它的规则才适用",
  '"{command}" with these words runs a program': "带这些词的“{command}”会运行程序",
  '"{command}" with these words makes or moves a reference': "带这些词的“{command}”会新建或移动引用",
  '"{command}" with these words changes or contacts a remote': "带这些词的“{command}”会更改或连接远程仓库",
  '"{command}" with these words changes the configuration': "带这些词的“{command}”会更改配置",
  'the address "{word}" runs a program': "地址“{word}”会运行程序",
};
