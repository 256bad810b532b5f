import type { Phrases } from "../translator.js";

/** The first lines of results that failed; what follows is for the model. */
export const tools: Phrases = {
  // Files.
  "{path} is a folder.": "{path} 是文件夹。",
  "{path} is a file.": "{path} 是文件。",
  "{path} does not exist.": "{path} 不存在。",
  "{path} is a binary file.": "{path} 是二进制文件。",
  "{path} is text in an encoding that was not recognised.": "{path} 是文本，但无法识别编码。",
  "{path} is too large to change here ({bytes:number} bytes).":
    "{path} 太大，无法在这里更改（{bytes} 字节）。",
  "{path} cannot be read: {why:phrase}.": "无法读取 {path}：{why}。",
  "{path} cannot be listed: {why:phrase}.": "无法列出 {path}：{why}。",
  "{path} cannot be searched: {why:phrase}.": "无法搜索 {path}：{why}。",
  "{path} cannot be written and is as it was before: {why:phrase}.": "无法写入 {path}，它保持原样：{why}。",
  "The text cannot be written: {why:phrase}.": "无法写入这段文字：{why}。",
  "the text has half of a surrogate pair (a broken \\u escape)": "文字含有半个代理对（损坏的 \\u 转义）",
  '{encoding:word}, the encoding of the file, has no "{character}" ({name})':
    "文件的编码 {encoding} 没有字符“{character}”（{name}）",
  "{path} changed while the user was asked about this change.": "在询问此更改期间 {path} 被改动。",
  "{path} was changed by something else since you read it.": "{path} 在模型读取之后被其他程序改动。",
  "{path} is a PDF document of {bytes:number} bytes.": "{path} 是 PDF 文档，{bytes} 字节。",
  "{path} is a binary file of {bytes:number} bytes.": "{path} 是二进制文件，{bytes} 字节。",
  "end_line {last:number} is before start_line {first:number}.":
    "end_line {last} 在 start_line {first} 之前。",
  "{path} is UTF-16 and too large to read here ({bytes:number} bytes).":
    "{path} 是 UTF-16 且太大，无法在这里读取（{bytes} 字节）。",
  "{path} has only {total:number} line; start_line {first:number} is past its end.":
    "{path} 只有 {total} 行；start_line {first} 超出末尾。",
  "{path} has only {total:number} lines; start_line {first:number} is past its end.":
    "{path} 只有 {total} 行；start_line {first} 超出末尾。",
  "the path changed while it was used; a link was put in its place": "使用期间路径改变；它被换成了链接",
  "a folder of the path is a link by now, or was moved": "路径中的一个文件夹现在是链接，或被移动了",

  // Edits.
  "old_text is empty.": "old_text 为空。",
  "old_text and new_text are the same.": "old_text 与 new_text 相同。",
  "old_text and new_text are both empty.": "old_text 与 new_text 都为空。",
  'new_text stands in for existing text with "{elision}".': "new_text 用“{elision}”代替了原有文字。",
  'content stands in for existing text with "{elision}".': "content 用“{elision}”代替了原有文字。",
  "{path} was changed by something else since you read it, and old_text is no longer exactly in it.":
    "{path} 在模型读取之后被其他程序改动，old_text 已不再与其内容一致。",
  "The edit would delete {gone:number} of {total:number} lines of {path}, and old_text is not exactly what they are.":
    "这次编辑会删除 {path} 全部 {total} 行中的 {gone} 行，而 old_text 与它们不完全一致。",
  "old_text does not occur in {path} ({total:number} lines).":
    "old_text 没有出现在 {path} 中（{total} 行）。",
  "old_text does not occur in {path} ({total:number} lines). Nothing was changed. Lines {from:number}-{to:number} of the file are:":
    "old_text 没有出现在 {path} 中（{total} 行）。没有作任何改动。",
  'old_text does not occur in {path} ({total:number} lines). Nearest: lines {from:number}-{to:number}, {equal:number} of {all:number} lines equal. "-" is your text, "+" is the file:':
    "old_text 没有出现在 {path} 中（{total} 行）。最接近的是第 {from}-{to} 行，{all} 行中有 {equal} 行相同。",
  "old_text occurs {count:number} times in {path}, at lines:": "old_text 在 {path} 中出现了 {count} 次。",

  // Before a file is replaced.
  "{path} existed and was not read in this session: {old:known} become {now:known}.":
    "{path} 已存在，且在此会话中没有读过：{old}将变为{now}。",
  "{path} gets much shorter: {old:known} become {now:known}.": "{path} 会变短很多：{old}将变为{now}。",
  "{lines:number} line ({bytes:number} bytes)": " {lines} 行（{bytes} 字节）",
  "{lines:number} lines ({bytes:number} bytes)": " {lines} 行（{bytes} 字节）",

  // Searches and commands.
  "pattern must be one line of text.": "pattern 必须是一行文字。",
  "The pattern is no valid regular expression ({why:phrase}).": "pattern 不是有效的正则表达式（{why}）。",
  'There is no background command with id "{id}".': "没有编号为“{id}”的后台命令。",
  "Not run.": "没有运行。",
  "timed out after {seconds:number} s; the command and everything it had started were ended":
    "超过 {seconds} 秒的时限；命令及其启动的一切都已结束",
  "timed out after {seconds:number} s; the command and everything it had started were ended, no output":
    "超过 {seconds} 秒的时限；命令及其启动的一切都已结束，没有输出",
  "exit code {code:number} (128 + {signal:word})": "退出码 {code}（128 + {signal}）",
  "exit code {code:number} (exit codes in the pipeline: {codes})":
    "退出码 {code}（管道中各命令的退出码：{codes}）",
  "exit code {code:number} (last command of the pipeline)": "退出码 {code}（管道的最后一条命令）",
  "exit code {code:number} (last command of the pipeline; command {place:number} of {count:number} failed with exit code {failed:word})":
    "退出码 {code}（管道的最后一条命令；{count} 条命令中的第 {place} 条失败，退出码 {failed}）",
  "cancelled; the command and everything it had started were ended": "已取消；命令及其启动的一切都已结束",
  "stopped, with everything it had started": "已停止，连同它启动的一切",
  "lost: mini-cc was ended meanwhile, and the command with it": "已丢失：mini-cc 中途结束，命令随之结束",
  "ended by signal {signal:word}": "被信号 {signal} 终止",
  "ended by signal {signal:word}, no output": "被信号 {signal} 终止，没有输出",
  "could not be started: {why:phrase}, no output": "无法启动：{why}",
  "could not be started: {why:phrase}": "无法启动：{why}",

  // Calls that were not run.
  "Not run: {why:phrase}": "没有运行：{why}",
  "{limit:known}. Answer in words now.": "{limit}，模型须用文字回答",
  "your reply was cut off at the output limit, after {tokens:number} tokens, so this call may be incomplete. Write in smaller parts, at most 150 lines each.":
    "回复在 {tokens} token 后达到输出上限而被截断，因此这个调用可能不完整。",
  "it was cut off again. Make a much smaller change first.": "再次被截断。",
  'There is no tool "{name}". {rest}': "没有工具“{name}”。",
  "{tool:word} was not run, its arguments do not fit: {problems}.": "没有运行 {tool}，参数不符：{problems}。",
  "{tool:word} was not run again: {problems}.": "再次没有运行 {tool}：{problems}。",
  "{tool:word} failed: {why:phrase}": "{tool} 失败：{why}",
};
