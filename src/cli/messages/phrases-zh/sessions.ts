import type { Phrases } from "../translator.js";

/** Saved sessions, notes for the model, undo, and commands in the background. */
export const sessions: Phrases = {
  // Finding and opening.
  "there is no session {id} here": "这里没有会话 {id}",
  "mini-cc sessions lists those of this folder, mini-cc sessions --all those of every folder":
    "mini-cc sessions 列出此文件夹的会话，mini-cc sessions --all 列出所有文件夹的会话",
  "{count:number} sessions begin with {beginning}: {ids}": "有 {count} 个会话以 {beginning} 开头：{ids}",
  "Give more of the id": "请多写几位 ID",
  "this session is in use by process {pid:number}": "进程 {pid} 正在使用此会话",
  "this session is in use by process {pid:number} on {host}": "{host} 上的进程 {pid} 正在使用此会话",
  "this session is in use by another process": "另一个进程正在使用此会话",
  "Go on there, or work on a copy of it with --fork": "请在那里继续，或用 --fork 在副本上继续",
  "Go on there, or work on a copy of it with --fork; if it has ended, remove {path}":
    "请在那里继续，或用 --fork 在副本上继续；如果该进程已结束，请删除 {path}",
  "there is no earlier session in this folder": "此文件夹没有更早的会话",
  "Leave out --continue to start one": "去掉 --continue 即可开始新会话",
  "there is no session {id} for this folder: it belongs to another one":
    "此文件夹没有会话 {id}：它属于另一个文件夹",
  "there is no session {id} for this folder: it belongs to {folder}":
    "此文件夹没有会话 {id}：它属于 {folder}",
  "mini-cc --resume {id} --fork goes on here with a copy of it":
    "mini-cc --resume {id} --fork 可在这里用副本继续",
  'Go on there: mini-cc -C "{folder}" --resume {id}; or {copy:known}':
    '在那里继续：mini-cc -C "{folder}" --resume {id}；或者 {copy}',
  "That folder does not exist any more: {copy:known}": "那个文件夹已不存在：{copy}",
  "this session is not being saved: {why:phrase}": "此会话没有被保存：{why}",

  // Going on.
  "one line of this session's file cannot be read: what stood there is missing in the conversation":
    "此会话文件中有一行无法读取：对话中缺少该行内容",
  "{count:number} lines of this session's file cannot be read: what stood there is missing in the conversation":
    "此会话文件中有 {count} 行无法读取：对话中缺少这些内容",
  "a newer version of mini-cc has written to this session: what this version does not know is kept in its file, but left out":
    "较新版本的 mini-cc 写入过此会话：当前版本不认识的内容保留在文件中，但不使用",
  "mini-cc was stopped in the middle of the last turn; what was done until then is kept":
    "mini-cc 在上一轮中途被停止；此前的内容都已保留",
  "mini-cc was stopped in the middle of {call}: it may have taken effect; check before it is done again":
    "mini-cc 在 {call} 进行中被停止：它可能已生效；再次执行前请检查",
  "mini-cc was stopped in the middle of this turn": "mini-cc 在这一轮中途被停止",
  "since then {changes:reasons}": "此后{changes}",
  "{file} has changed": "{file} 已改变",
  "{files} have changed": "{files} 已改变",
  "{files} and {more:number} more have changed": "{files} 以及另外 {more} 个文件已改变",
  "{file} is gone": "{file} 已不存在",
  "{files} are gone": "{files} 已不存在",
  "{files} and {more:number} more are gone": "{files} 以及另外 {more} 个文件已不存在",

  // Keeping.
  "old sessions were not looked for: {why:phrase}": "没有查找旧会话：{why}",
  "the session {id} was not removed: {why:phrase}": "会话 {id} 没有被删除：{why}",
  "{sessions:known} will be removed at the next start ({limits:known}). To keep them, set sessions.keepDays and sessions.maxMegabytes in your configuration, or export them: mini-cc sessions list --all":
    "{sessions}将在下次启动时删除（{limits}）。要保留它们，请在配置中设置 sessions.keepDays 和 sessions.maxMegabytes，或导出它们：mini-cc sessions list --all",
  "{sessions:known} removed, as announced": "已按之前的提示删除{sessions}",
  "1 session ({size:number} MB)": " 1 个会话（{size} MB）",
  "{count:number} sessions ({size:number} MB)": " {count} 个会话（{size} MB）",
  "not used for 1 day": "超过 1 天未使用",
  "not used for {days:number} days": "超过 {days} 天未使用",
  "beyond {size:number} MB in all": "总共超过 {size} MB",
  "not used for 1 day, or beyond {size:number} MB in all": "超过 1 天未使用，或总共超过 {size} MB",
  "not used for {days:number} days, or beyond {size:number} MB in all":
    "超过 {days} 天未使用，或总共超过 {size} MB",

  // Notes.
  "the notes in {path} are not read: {why:phrase}": "不读取 {path} 中的说明：{why}",
  "it is a link that leads elsewhere": "它是指向别处的链接",
  "it is not UTF-8 text": "它不是 UTF-8 文本",
  "it changed meanwhile": "它中途被改动",
  "nothing was added to {path}: {why:phrase}": "没有向 {path} 加入任何内容：{why}",
  "the notes have changed since this session read them; it goes on with the old ones until /reload or a new session":
    "项目说明在此会话读取之后已改变；在 /reload 或新会话之前继续使用旧的",
  "{path} is too long for this window: the model is told the first {tokens:number} of about {whole:number} tokens":
    "{path} 对此窗口来说太长：只告诉模型约 {whole} token 中的前 {tokens}",
  "{path} is too long for this window: the model is told the first {tokens:number} of more than {whole:number} tokens":
    "{path} 对此窗口来说太长：只告诉模型超过 {whole} token 中的前 {tokens}",

  // Undo.
  "changes cannot be undone: they could not be noted ({why:phrase})": "更改无法撤销：未能记录下来（{why}）",
  "{path} is no regular file": "{path} 不是普通文件",
  "the changes of {count:number} earlier turns can no longer be undone: they were too old, or too much":
    "较早的 {count} 轮更改已无法撤销：过旧或过多",
  "Remove the cause and try again; /diff shows what the turn changed.":
    "请消除原因后重试；/diff 显示这一轮所做的更改。",
  "the changes of an earlier turn can no longer be undone: they were too old, or too much":
    "较早一轮的更改已无法撤销：过旧或过多",
  "old data of undo could not be removed: {why:phrase}": "无法删除撤销功能的旧数据：{why}",
  "what they change could not be kept": "命令所作的更改无法保存",
  "what commands change here cannot be undone: {why:phrase}": "命令在此所作的更改无法撤销：{why}",
  "the workspace is {path}": "工作区是 {path}",
  "looking through it takes longer than {seconds:number} s": "查看工作区需要超过 {seconds} 秒",
  "it has more than {count:number} files and folders": "其中的文件和文件夹超过 {count} 个",
  "its files have more than {size:number} MB together": "其中的文件总共超过 {size} MB",
  "the content was not kept": "内容没有保存",
  "the kept content is damaged": "保存的内容已损坏",
  "what lies there is neither a file nor a folder": "那里既不是文件，也不是文件夹",
  "the workspace is behind a link by now": "工作区现在位于链接之后",
  "the workspace cannot be found: {why:phrase}": "找不到工作区：{why}",
  "its folder cannot be read: {why:phrase}": "无法读取它所在的文件夹：{why}",
  "it failed: {why:phrase}; {rest:known}": "失败：{why}；{rest}",
  "nothing was changed": "没有作任何改动",
  "what had been done was taken back": "已完成的部分已撤回",
  "taking back what had been done failed, too ({why:phrase})": "撤回已完成的部分也失败了（{why}）",
  "the content of {path} is damaged": "{path} 的内容已损坏",
  "{path} changed just now": "{path} 刚刚被改动",
  "it is a folder by now that holds other files": "它现在是含有其他文件的文件夹",
  "the folder that it was in is something else by now": "它所在的文件夹现在已是别的东西",
};
