import type { Phrases } from "../translator.js";

/** Trouble between this program, the server and the model. */
export const model: Phrases = {
  // The connection.
  "no Ollama server answers at {url:word} ({code})": "{url} 没有 Ollama 服务器应答（{code}）",
  "Start it with: ollama serve   (another address: --host or OLLAMA_HOST; a look without it: mini-cc demo)":
    "启动服务器：ollama serve（其他地址：--host 或 OLLAMA_HOST；不用服务器先看看：mini-cc demo）",
  "{url:word} closed the connection without an answer": "{url} 没有应答就关闭了连接",
  "{url:word} took the connection, but did not answer within {seconds:number} s":
    "{url} 接受了连接，但在 {seconds} 秒内没有应答",
  "Restart the server (ollama serve), or check the address (--host, OLLAMA_HOST)":
    "请重新启动服务器（ollama serve），或检查地址（--host、OLLAMA_HOST）",
  "{url:word} redirects to {target}, and mini-cc sends your files to no other address than the one you gave":
    "{url} 重定向到 {target}，而 mini-cc 只把你的文件发送到你指定的地址",
  "Give the final address with --host or OLLAMA_HOST": "请用 --host 或 OLLAMA_HOST 指定最终地址",
  "{url:word} does not speak Ollama's protocol: {what:phrase}": "{url} 使用的不是 Ollama 的协议：{what}",
  "its reply is far too long": "回复过长",
  "it answered with something that is not JSON: {text}": "它的应答不是 JSON：{text}",
  "{url:word} does not answer as Ollama does": "{url} 的应答不像 Ollama",
  "{url:word} sent a line that is not JSON: {text}": "{url} 发来的一行不是 JSON：{text}",
  "Check the address (--host, OLLAMA_HOST)": "请检查地址（--host、OLLAMA_HOST）",
  "Check the address (--host, OLLAMA_HOST); a proxy may stand in between":
    "请检查地址（--host、OLLAMA_HOST）；中间可能有代理",
  "the connection to the server broke in the middle of a reply": "回复中途与服务器的连接断开",
  "the server ended its reply in the middle": "服务器中途结束了回复",
  "the server did not begin to answer for {seconds:number} s (ollama.{setting:word})":
    "服务器在 {seconds} 秒内没有开始应答（ollama.{setting}）",
  "the server fell silent in its answer for {seconds:number} s (ollama.{setting:word})":
    "服务器在应答中停顿了 {seconds} 秒（ollama.{setting}）",
  'Raise "ollama": { "{setting:word}": … } in the configuration, or use a smaller model or window':
    '请在配置中调高 "ollama": { "{setting}": … }，或使用更小的模型或窗口',
  "Send the prompt again; if it repeats, see the server's log (ollama serve)":
    "请重新发送提示；如果再次出现，请查看服务器日志（ollama serve）",
  "{why:phrase}; trying again in {seconds:number} s": "{why}；{seconds} 秒后重试",

  // What the server reports.
  "the server reported: {text}": "服务器报告：{text}",
  "the server answered {status:number}: {text}": "服务器返回 {status}：{text}",
  "{model:word} repeated itself, and the server ended its reply ({where:phrase})":
    "{model} 不停重复，服务器结束了它的回复（{where}）",
  "{model:word} wrote a tool call that the server could not read ({where:phrase})":
    "{model} 写出的工具调用，服务器无法解析（{where}）",
  "Pull it with: ollama pull {model}   (or choose another: mini-cc models)":
    "下载它：ollama pull {model}（或另选一个：mini-cc models）",
  "No registry has {model}: look its name up at https://ollama.com/library":
    "没有哪个仓库有 {model}：请在 https://ollama.com/library 查找名称",
  "Update Ollama (https://ollama.com/download), then pull again":
    "请更新 Ollama（https://ollama.com/download），然后重新下载",
  "Free some space where the server keeps its models (OLLAMA_MODELS), then pull again":
    "请在服务器存放模型的位置（OLLAMA_MODELS）腾出空间，然后重新下载",
  "The server could not download it: see whether its machine reaches https://ollama.com, then pull again":
    "服务器无法下载它：请检查它所在的机器能否访问 https://ollama.com，然后重新下载",
  "Leave out --protocol native, and calls travel as text; or choose a model that supports tools: mini-cc models":
    "请去掉 --protocol native，改以文本方式传输调用；或选择支持工具的模型：mini-cc models",
  "Switch thinking off with --think off, or choose another model with --model":
    "请用 --think off 关闭思考，或用 --model 另选模型",
  "Choose a model that can chat: mini-cc models": "请选择能对话的模型：mini-cc models",
  "Start a new conversation with /clear, or enlarge the window with --num-ctx":
    "请用 /clear 开始新对话，或用 --num-ctx 扩大窗口",
  "Use a smaller window (--num-ctx) or a smaller model (--model)":
    "请使用更小的窗口（--num-ctx）或更小的模型（--model）",
  "Try again; if it repeats, memory is the usual cause: use a smaller window (--num-ctx) or model":
    "请重试；如果再次出现，通常是内存不足：请使用更小的窗口（--num-ctx）或更小的模型",
  "The model could not be loaded: update Ollama, or choose another model with --model":
    "模型无法加载：请更新 Ollama，或用 --model 另选模型",
  "The server works on other requests: try again in a moment": "服务器正在处理其他请求：请稍后重试",
  "Nothing is lost: send the prompt again, or in smaller steps; if it repeats, use another model (--model)":
    "没有丢失任何内容：请重新发送提示，或分成更小的步骤；如果再次出现，请换用其他模型（--model）",
  "See the server's log (ollama serve) for the cause": "原因请查看服务器日志（ollama serve）",

  // The choice of a model.
  "the model {model} does not support tools, which protocol native needs":
    "模型 {model} 不支持工具，而 native 方式需要工具",
  "Leave out --protocol native, and its tool calls travel as text; or {others:phrase}":
    "请去掉 --protocol native，改以文本方式传输工具调用；或者{others}",
  "the model {model} does not answer prompts": "模型 {model} 不回答提示",
  "installed models that do: {models}   (use one with --model NAME)":
    "选用已安装的可用模型：{models}（--model NAME）",
  "Installed models that do: {models}   (use one with --model NAME)":
    "已安装的可用模型：{models}（用 --model NAME 选用）",
  "pull one that does, for example: ollama pull {model:word}":
    "下载一个可用的模型，例如：ollama pull {model}",
  "Pull one that does, for example: ollama pull {model:word}":
    "请下载一个可用的模型，例如：ollama pull {model}",

  // How it is used.
  "{model:word} does not support tools: tool calls travel as text, which is less reliable":
    "{model} 不支持工具：工具调用以文本方式传输，可靠性较低",
  "as before in this session: tool calls travel as text, which is less reliable":
    "与此会话之前一样：工具调用以文本方式传输，可靠性较低",
  "temperature {wanted:number} makes {model} repeat itself: {used:number} is used":
    "温度 {wanted} 会让 {model} 不停重复：改用 {used}",
  "the server gave {model} a window of {given:number} tokens instead of {asked:number}":
    "服务器给 {model} 分配了 {given} token 的窗口，而不是 {asked}",
  "how the model was loaded could not be checked: {why:phrase}": "无法检查模型的加载情况：{why}",
  "the next session takes a window of {smaller:number} tokens instead of {asked:number} (--num-ctx decides otherwise)":
    "下一个会话使用 {smaller} token 的窗口，而不是 {asked}（可用 --num-ctx 另行指定）",
  "{percent:number} % of {model} does not fit into the GPU's memory and runs slowly on the CPU: use a smaller model":
    "{model} 的 {percent}% 放不进显存，在 CPU 上运行，速度慢：请使用更小的模型",
  "{percent:number} % of {model} does not fit into the GPU's memory and runs slowly on the CPU: the next session takes a window of {smaller:number} tokens (--num-ctx decides otherwise)":
    "{model} 的 {percent}% 放不进显存，在 CPU 上运行，速度慢：下一个会话使用 {smaller} token 的窗口（可用 --num-ctx 另行指定）",
  "{percent:number} % of {model} does not fit into the GPU's memory and runs slowly on the CPU: use a smaller window (--num-ctx {smaller:number}) or a smaller model":
    "{model} 的 {percent}% 放不进显存，在 CPU 上运行，速度慢：请使用更小的窗口（--num-ctx {smaller}）或更小的模型",
  "the server loaded the model anew ({seconds:number} s): another program may use it with other settings, or it was unloaded meanwhile":
    "服务器重新加载了模型（{seconds} 秒）：可能有其他程序以不同设置使用它，或它中途被卸载了",
  "your files will be sent to {url:word}": "你的文件会发送到 {url}",
  "{model:word} runs in the cloud: your files will leave this machine":
    "{model} 在云端运行：你的文件会离开这台机器",
  "this session was held with {missed}, which cannot be used here any more: it goes on with {model} (mini-cc models pull {missed} may bring it back, --model NAME takes another)":
    "此会话之前使用 {missed}，它在这里已无法使用：改用 {model} 继续（mini-cc models pull {missed} 或许能取回它，--model NAME 可另选）",
  "{model:word} was not unloaded: {why:phrase}": "没有卸载 {model}：{why}",
  "requests are recorded in {folder}": "请求会记录到 {folder}",
  "{why:known}: from here on tool calls travel as text (see --protocol)":
    "{why}：从现在起工具调用以文本方式传输（参见 --protocol）",
  "the server says that the model does not support tools": "服务器说明模型不支持工具",
  "the model's calls get lost": "模型的调用丢失",
  "the model does not support thinking: asking without it": "模型不支持思考：改为不思考",
  "the server cannot take the image ({types}): asking without images of this type":
    "服务器无法接收图像（{types}）：之后不再发送这种图像",
};
