import type { Topics } from "./topics-en.js";

export const topics: Topics = {
  permissions: `
哪些可以运行，如何更改

在工作区内读取不需要询问。编辑会询问，并显示差异。一行里的每条简单命令都要逐词
以允许的前缀开头，且没有任何不确定之处，才会不询问直接运行；会写文件的重定向、
需要计算的词、能运行其他程序的选项，一律询问。

  mini-cc permissions                            所有规则及其来源
  mini-cc permissions check "git add . && make"  会如何处理，以及原因

询问用一个键回答：
  y  仅此一次
  a  本次会话内允许        a 和 p 会保留一条规则，
  p  在此项目中始终允许    回答之前会先显示这条规则
  n  拒绝，可以写明原因，模型会看到；Enter 等于拒绝

模式（--permission-mode、"permissionMode"、/mode）：
  default       编辑和没有规则允许的命令会询问
  accept-edits  工作区内的编辑不询问，受保护的名称除外
  plan          不做任何更改：只能读取，以及运行允许的只读命令
  bypass        什么都不询问；少数硬性禁止仍然有效

规则是命令的开头："git status" 适用于 git status -s，不适用于 git statusx。写在
项目的 .mini-cc.json 或你自己的 config.json 里：

  { "allowedCommands": ["ls", "git status", "npm test"],
    "deniedCommands": ["git push"] }

禁止优先于任何允许。没有 "allowedCommands" 时使用内置的只读命令列表；写了这个键
就会取代该列表。--allow "npm test" 只为这一次运行增加一条规则。mini-cc
permissions remove "npm test" 忘记一条保留的规则。

项目文件随仓库而来：它放宽的内容只有在你信任之后才生效（只问一次；mini-cc
trust）。没有人可以回答时，需要批准的操作会被拒绝，ask 以退出码 4 结束。

沙箱是第二道防线：在装有 bubblewrap 的 Linux 上，命令只能写入工作区，只有询问过
你才能访问网络。mini-cc doctor 会说明沙箱是否可用。沙箱从不把询问变成允许。
`,

  models: `
用哪个模型，多少内存，多大窗口

  ollama serve                    启动服务器
  mini-cc models pull qwen3.5:9b  安装一个模型
  mini-cc models                  已安装的模型、能力、是否放得下
  mini-cc models show NAME        一个模型的详细信息
  mini-cc doctor                  服务器实际分配了多少

按模型可用的内存，较好的首选：
  6 GB 以内  qwen3.5:4b（小改动）          窗口 8k token
  8 GB       qwen3.5:9b、qwen3:8b               16k
  12 GB      gemma4:12b、qwen3:14b              16k 到 32k
  16 GB      gpt-oss:20b、devstral-small-2      16k 到 32k
  24 GB      qwen3.6:27b、qwen3-coder:30b       32k

模型依次取自 --model、MINI_CC_MODEL、配置中的 "model"；都没有时，取上次使用的支
持工具的已安装模型，或放得下的最大的一个。在会话中 /model 列出模型。

窗口每个会话只选定一次：--num-ctx，否则按机器内存取 8k、16k 或 32k，不超过模型
训练时的长度。对话超出窗口时，会在步骤之间总结；/context 显示窗口的用途。

服务器地址取自 --host，其次 OLLAMA_HOST，默认 http://127.0.0.1:11434。

不支持工具的模型也能用（--protocol auto）：工具调用以文本传输。第一个回答最慢，
因为要加载模型并读取指令；之后服务器会保留两者（"ollama": { "keepAlive": "30m"
}）。
`,

  sessions: `
继续、查找、保存

一切在发生时就已保存，只有你能读取。

  mini-cc -c                        继续此文件夹最近的会话
  mini-cc -r                        挑选一个；-r ID 直接指定
  mini-cc -c --fork                 在它的副本上继续
  mini-cc ask -c "那测试呢？"       同样用于单个提示

  mini-cc sessions                  列出会话；--all：所有文件夹
  mini-cc sessions search WORDS     包含所有词的轮次，最新的在前
  mini-cc sessions show ID          阅读一个会话；ID 只写开头即可
  mini-cc sessions export ID -o F   输出为 Markdown，或 --format json
  mini-cc sessions delete ID        会询问；无人可问时用 --yes

在会话中：/resume 换到另一个会话，/continue 在一轮被停止或失败之后继续，/fork
从较早的一轮分出新会话，/rename TITLE 命名，/export 写成文件，/undo 撤销一轮所
做的更改。

mini-cc 被停止时正在进行的命令或编辑会报告为“未知”，绝不会自行重新运行。其间改
变过的文件会被列出。

超过 180 天未使用，或总量超过 1,000 MB 的会话，会在一次启动时先通知，下一次启动
时删除（你自己配置中的 "sessions"）。会话保存在状态文件夹
~/.local/state/mini-cc 或 MINI_CC_HOME。MINI_CC_HOME=DIR 把所有内容移到一个文件
夹。
`,

  undo: `
撤销能恢复什么

  /undo   撤销上一轮所做的更改，再次使用则逐轮往前
  /redo   恢复被撤销的更改，直到之后有一轮又改了文件
  /diff   上一轮的更改；/diff session：所有轮次合在一起

重新启动之后（mini-cc -c）和 mini-cc ask 之后同样可用，不需要 git。

编辑逐个文件记录，包括被忽略的文件。对于不只是读取的命令，会在前后比较整个工作
区：新建、删除、改名或改动的文件，以及它们的权限、链接和空文件夹。一轮的文件要
么全部恢复，要么一个都不动。如果其间有别的程序改过某个文件，会先询问；确认之后
仍可重做。哪些文件变了，会随你的下一条消息告诉模型。

不包括：命令对被忽略的文件、.git、node_modules 之类以及工作区以外所做的改动；超
过 32 MB 的文件（会列出名称）；所有者、时间和扩展属性；后台命令在两轮之间所做的
改动。工作区超过 100,000 个文件和文件夹或 512 MB 时，只记录编辑，并提示一次。

保留的内容在状态文件夹的 undo/ 中，只有你能读取：那是你的文件的副本。超过 30
天、每个工作区超过 500 轮或总量超过 2 GB 时删除。配置中的 "undo": false 可以关
闭。
`,

  commands: `
命令运行时会发生什么

每条命令在工作区中由单独的 bash 运行，没有启动文件、键盘和终端：提问得不到回
答，分页器换成 cat，打开编辑器的命令会失败，原因会告诉模型。

输出随时显示。模型得到全部输出，或者开头、结尾以及中间像错误的部分，并注明省略
了多少行。能识别 GBK、Shift-JIS、Latin-1 等编码；不显示二进制输出。

总会告知退出码；管道中也包括前面各部分的退出码，因此 npm test | tail 不会掩盖失
败。

一条命令最多 120 秒，或按模型要求的时间，但不超过一小时。到时或取消时，它启动的
一切都会结束：先 SIGTERM，一秒后 SIGKILL。命令结束后仍在运行的进程也会结束。

后台运行的命令立即返回一个 id；模型读取它的新输出或停止它，结束时会得到通知。

  /processes          列出这些命令
  /processes stop ID  结束其中一个
  !npm test           运行你自己的命令，不询问，也不经过沙箱

mini-cc 结束时这些命令都会结束，被强行终止时也一样。没有沙箱时，脱离进程组的进
程靠环境变量找到；连环境变量也清除的则找不到。
`,

  scripts: `
在脚本中使用 mini-cc

答案写到标准输出，其他一切写到标准错误。管道传入的内容会附在提示之后；“-”表示一
直等到读完。不是终端的流不会收到任何转义字符。

  git diff | mini-cc ask "审查这个改动" > review.md
  mini-cc ask "修好测试" --permission-mode accept-edits --allow "npm test"

退出码：
  0    这一轮自行结束
  1    失败；消息说明原因和下一步
  2    用法或配置错误
  3    没有服务器、没有该模型，或模型不能使用
  4    已结束，但有操作因无人可问而被拒绝
  5    达到步数、时间或其他限制
  130  已取消

在终端上的管道里，询问会显示在该终端上并在那里回答。没有终端、标准错误写入文件
或使用 </dev/null 时不会询问：需要批准的操作会被拒绝。请事先允许（mini-cc help
permissions）。

--output-format json 输出一个对象：id、outcome、text、changedFiles、带退出码的
commands、denied、usage。stream-json 每行一个事件：首先是 session，最后总是
turn-end，每个 tool-start 对应一个 tool-end。mini-cc schema 输出两者的 JSON
Schema；以后可能增加字段。

用 id 继续会话：
  id=$(mini-cc ask "读一下解析器" --output-format json | jq -r .id)
  mini-cc ask -r "$id" "现在为它写一个测试"

--max-steps、--max-tool-calls、--max-minutes 和 --max-tokens 限制一轮。--quiet
只在标准错误上保留警告、拒绝和错误。MINI_CC_HOME=DIR 让任务的状态和配置与你自己
的分开。
`,
};
