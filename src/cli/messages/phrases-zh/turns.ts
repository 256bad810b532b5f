import type { Phrases } from "../translator.js";

/** What happens in a turn: replies that are no use, circles, limits, and how it ends. */
export const turns: Phrases = {
  // Room in the window.
  "the conversation nearly fills the context window: shortening it": "对话几乎占满上下文窗口：正在压缩",
  "the model wrote no summary ({why:phrase}): what you said, the files and the commands are kept without it":
    "模型没有写出摘要（{why}）：没有摘要，但保留你说过的话、文件和命令",
  "it called a tool instead": "它反而调用了工具",
  "its reply was empty": "它的回复为空",
  "the server read only {tokens:number} tokens of the conversation: a part of it was cut, so this reply may miss something":
    "服务器只读取了对话的 {tokens} token：有一部分被截断，因此这个回复可能有遗漏",
  "the prompt needs about {tokens:number} tokens, and the window of {window:number} has room for {room:number} besides the reply":
    "提示约需 {tokens} token，而 {window} 的窗口除回复外只能容纳 {room}",
  "the server refused the prompt as too long: it needs {tokens:number} tokens, and the window holds {window:number}":
    "服务器拒绝了提示，因为太长：需要 {tokens} token，而窗口只有 {window}",
  "the server refused the prompt as too long: it needs more than {tokens:number} tokens, and the window holds {window:number}":
    "服务器拒绝了提示，因为太长：需要超过 {tokens} token，而窗口只有 {window}",
  "Send less at once, or enlarge the window with --num-ctx": "请一次少发一些，或用 --num-ctx 扩大窗口",
  "Shorten the conversation with /compact, start a new one with /clear, or enlarge the window with --num-ctx":
    "请用 /compact 压缩对话，用 /clear 开始新对话，或用 --num-ctx 扩大窗口",

  // Circles.
  "the model made a call again that had the same result before; it was told":
    "模型重复了一个结果相同的调用；已告诉它",
  "the model made the same call many times; it was told": "模型多次进行同一个调用；已告诉它",
  "the model goes round in circles; it was told": "模型在兜圈子；已告诉它",
  "the model's searches bring nothing new; it was told": "模型的搜索没有带来新内容；已告诉它",
  "the model's edits of a file fail again and again": "模型对一个文件的编辑屡次失败",
  "commands fail in the same way with nothing changed in between; the model was told":
    "命令以同样的方式失败，其间没有任何更改；已告诉模型",
  "the model's calls cannot be run": "模型的调用无法运行",
  "{tool:word} failed twice for the same reason: the model is asked to think it over":
    "{tool} 因同样的原因失败了两次：已要求模型重新考虑",
  "the reply with the reflection on {tool:word} took {tokens:number} tokens and {seconds:number} s":
    "重新考虑 {tool} 的回复用了 {tokens} token、{seconds} 秒",
  "{count:number} searches in a row brought nothing new": "连续 {count} 次搜索没有带来新内容",
  "{count:number} calls in this turn could not be run: {why:phrase}": "本轮有 {count} 个调用无法运行：{why}",
  "there is no such tool": "没有这个工具",
  "wrong arguments for {tool:word}": "{tool} 的参数有误",
  "cut off at the output limit": "达到输出上限而被截断",
  "{tool:word} was called {count:number} times in the same way": "{tool} 以同样的方式被调用了 {count} 次",
  "the same call of {tool:word} was made {count:number} times with the same result":
    "对 {tool} 的同一个调用进行了 {count} 次，结果都相同",
  "the same {steps:number} steps came round {rounds:number} times": "同样的 {steps} 个步骤循环了 {rounds} 次",
  "{count:number} edits of {path} failed in a row": "对 {path} 的编辑连续失败 {count} 次",
  "a command failed {count:number} times in the same way, with nothing changed in between":
    "一条命令以同样的方式失败了 {count} 次，其间没有任何更改",

  // Replies that are no use, and what is tried.
  "the reply came empty though the model wrote something, so a tool call was lost; asking again":
    "模型写了内容，收到的回复却是空的，可能丢失了工具调用；正在重新请求",
  "the reply was lost again; asking once more": "回复再次丢失；再请求一次",
  "the model returned nothing; asking again": "模型没有返回任何内容；正在重新请求",
  "the model returned nothing; asking it to go on": "模型没有返回任何内容；要求它继续",
  "the model returned nothing again; reminding it of the task": "模型再次没有返回任何内容；正在提醒它任务",
  "the reply was all thinking; asking again with thinking off": "回复全是思考；关闭思考后重新请求",
  "the reply was all thinking; asking for the answer": "回复全是思考；要求给出答案",
  "the reply reached the output limit before its answer; asking without thinking":
    "回复在给出答案前达到输出上限；改为不思考",
  "a tool call was cut off at the output limit (ollama.numPredict); asking for smaller parts":
    "一个工具调用达到输出上限（ollama.numPredict）而被截断；要求分成更小的部分",
  "a tool call was cut off again; asking for a smaller one": "工具调用再次被截断；要求更小的调用",
  "a tool call was cut off at the output limit of {tokens:number} tokens (ollama.numPredict) and not run":
    "一个工具调用达到 {tokens} token 的输出上限（ollama.numPredict）而被截断，没有运行",
  "the model wrote a call that cannot be run; telling it why": "模型写出的调用无法运行；正在告诉它原因",
  "the call still cannot be run; telling the model why": "调用仍然无法运行；正在告诉模型原因",
  "the server could not read the model's tool call; asking again":
    "服务器无法解析模型的工具调用；正在重新请求",
  "the server could not read the call again; asking once more": "服务器再次无法解析调用；再请求一次",
  "the server cannot read the model's calls; asking a last time": "服务器无法解析模型的调用；最后请求一次",
  "the answer reached the output limit (ollama.numPredict); asking for the rest":
    "回答达到输出上限（ollama.numPredict）；正在请求其余部分",
  "the model repeated itself over and over and was stopped; asking again":
    "模型不停重复，已被停止；正在重新请求",
  "the model said what it would do and did not do it; telling it to go on":
    "模型说了要做什么却没有做；要求它继续",
  "the model says that it changed something, but no file was changed; telling it":
    "模型说它作了更改，但没有文件被更改；正在告诉它",
  "the model showed code in place of an edit; asking it to make the edit":
    "模型只展示代码而没有编辑；要求它进行编辑",
  "the model thought without coming to an answer; asking again with thinking off":
    "模型一直思考而没有答案；关闭思考后重新请求",

  // How a turn ends.
  "the model returned nothing, neither words nor a tool call":
    "模型没有返回任何内容，既没有文字也没有工具调用",
  "Send the prompt again or in other words; if it repeats, use another model (--model)":
    "请重新发送提示或换个说法；如果再次出现，请换用其他模型（--model）",
  "the model wrote something that did not arrive, most likely a tool call that the server could not read":
    "模型写的内容没有送达，很可能是服务器无法解析的工具调用",
  "Send the prompt again; if it repeats, use another model (--model). --debug records the replies":
    "请重新发送提示；如果再次出现，请换用其他模型（--model）。--debug 可记录回复",
  "the model's reply was all thinking and held no answer": "模型的回复全是思考，没有答案",
  "Switch thinking off with --think off, or use another model (--model)":
    "请用 --think off 关闭思考，或换用其他模型（--model）",
  "the reply reached the output limit while the model was still thinking, before an answer":
    "模型还在思考、尚未给出答案时，回复就达到了输出上限",
  "Raise ollama.numPredict in the configuration, or switch thinking off with --think off":
    "请在配置中调高 ollama.numPredict，或用 --think off 关闭思考",
  "the model's tool calls were cut off again and again, and none was run":
    "模型的工具调用屡次被截断，一个也没有运行",
  "Ask for a smaller step, or raise ollama.numPredict in the configuration":
    "请要求更小的步骤，或在配置中调高 ollama.numPredict",
  "the model says what it will do next, and did not do it": "模型说了接下来要做什么，却没有做",
  "the model says that it changed something, but no file was changed in this turn":
    "模型说它作了更改，但本轮没有文件被更改",
  "the answer shows code for a file that was not changed": "回答展示了代码，但对应的文件没有更改",
  "the answer is not whole: it reached the output limit again (ollama.numPredict)":
    "回答不完整：再次达到输出上限（ollama.numPredict）",
  "the model repeated itself over and over and was stopped twice": "模型不停重复，已被停止两次",
  "Send the prompt again in other words; if it repeats, use another model (--model)":
    "请换个说法重新发送提示；如果再次出现，请换用其他模型（--model）",
  "the model thought without coming to an answer and was stopped": "模型一直思考而没有答案，已被停止",
  "Switch thinking off with --think off, or raise ollama.numPredict in the configuration":
    "请用 --think off 关闭思考，或在配置中调高 ollama.numPredict",
  "the model wrote tool calls that the server could not read": "模型写出的工具调用，服务器无法解析",
  "the model wrote tool calls that cannot be run": "模型写出的工具调用无法运行",
  "Send the prompt again; if it repeats, use another model (--model)":
    "请重新发送提示；如果再次出现，请换用其他模型（--model）",

  // What stands in the place of a reply.
  "cut off: {why:phrase}": "被截断：{why}",
  "stopped by {signal:word}": "被 {signal} 停止",
  "stopped by an error of mini-cc": "因 mini-cc 的错误而停止",
  "cut off: the request failed": "被截断：请求失败",
  "cut off: it repeated itself": "被截断：不停重复",
  "a reply that could not be read": "无法读取的回复",
  "a tool call that was cut off and not run": "被截断而没有运行的工具调用",
  "a tool call that could not be run": "无法运行的工具调用",
  "a tool call that could not be read": "无法读取的工具调用",
  "no reply: it came back empty": "没有回复：返回的内容为空",

  // Limits.
  "the limit of {count:number} step for this turn is reached": "已达到每轮 {count} 次请求的上限",
  "the limit of {count:number} steps for this turn is reached": "已达到每轮 {count} 次请求的上限",
  "the limit of {count:number} tool call for this turn is reached": "已达到每轮 {count} 次工具调用的上限",
  "the limit of {count:number} tool calls for this turn is reached": "已达到每轮 {count} 次工具调用的上限",
  "the limit of {count:number} token for this turn is reached": "已达到每轮 {count} token 的上限",
  "the limit of {count:number} tokens for this turn is reached": "已达到每轮 {count} token 的上限",
  "the limit of {count:number} minute for this turn is reached": "已达到每轮 {count} 分钟的上限",
  "the limit of {count:number} minutes for this turn is reached": "已达到每轮 {count} 分钟的上限",
  "{used:number} of {most:number} steps of this turn are used (maxSteps)":
    "本轮已用 {used} 次请求，共 {most} 次（maxSteps）",
  'Go on from here with /continue, or with mini-cc ask --continue "go on"':
    '可用 /continue 或 mini-cc ask --continue "继续" 从此处继续',
  'Go on from here with /continue, or with mini-cc ask --continue "go on"; {raise:known}':
    '可用 /continue 或 mini-cc ask --continue "继续" 从此处继续；{raise}',
  "--max-steps N allows more requests": "--max-steps N 允许更多请求",
  "--max-tool-calls N allows more calls": "--max-tool-calls N 允许更多调用",
  "--max-minutes N allows more time": "--max-minutes N 允许更长时间",
  "--max-tokens N allows more tokens": "--max-tokens N 允许更多 token",
  "declined by the user": "已被用户拒绝",
  "declined by the user: {reason}": "已被用户拒绝：{reason}",
  "cancelled by the user": "已被用户取消",
};
