import type { Phrases } from "../translator.js";

/** How commands are confined, what a session begins with, and mistakes on the command line. */
export const surroundings: Phrases = {
  // The sandbox.
  "sandbox: bubblewrap; commands write only inside the workspace and have no network unless you allow it":
    "沙箱：bubblewrap；命令只能写入工作区，未经你允许没有网络",
  "sandbox: seatbelt; commands write only inside the workspace and have no network unless you allow it":
    "沙箱：seatbelt；命令只能写入工作区，未经你允许没有网络",
  "sandbox: {program:word}; it writes only in the workspace, and gets the network":
    "沙箱：{program}；它只能写入工作区，并可使用网络",
  '"sandbox" is "required", but there is {state:known}': "“sandbox”设为“required”，但{state}",
  "no sandbox: bubblewrap is not installed": "没有沙箱：未安装 bubblewrap",
  "apt install bubblewrap (or the package of that name in your distribution)":
    "请运行 apt install bubblewrap（或安装你的发行版中的同名软件包）",
  "no sandbox: {program:word} is not there": "没有沙箱：{program} 不存在",
  "it is a part of macOS; repair the system": "它是 macOS 的一部分；请修复系统",
  "no sandbox: {program:word} did not start within {seconds:number} s":
    "没有沙箱：{program} 在 {seconds} 秒内没有启动",
  "try again when the machine is less busy": "请在机器空闲时重试",
  "no sandbox: the system does not let {program:word} work ({error:phrase})":
    "没有沙箱：系统不允许 {program} 工作（{error}）",
  "no sandbox: {program:word} does not work here ({error:phrase})":
    "没有沙箱：{program} 在这里无法工作（{error}）",
  "{path}: not writable inside, it belongs to another user": "{path}：在沙箱内不可写，它属于另一个用户",
  'mend what it names, or set "sandbox" to "off" in your own configuration':
    '请解决它指出的问题，或在你自己的配置中把 "sandbox" 设为 "off"',
  "on Ubuntu, give bubblewrap an AppArmor profile that allows `userns`, or for all programs: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0":
    "在 Ubuntu 上，请给 bubblewrap 一个允许 `userns` 的 AppArmor 配置，或对所有程序：sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
  "sudo sysctl -w user.max_user_namespaces=15000": "请运行 sudo sysctl -w user.max_user_namespaces=15000",
  "sudo sysctl -w kernel.unprivileged_userns_clone=1; in a container, start it so that it allows user namespaces":
    "请运行 sudo sysctl -w kernel.unprivileged_userns_clone=1；在容器中，请以允许用户命名空间的方式启动容器",
  "use a kernel with user namespaces (CONFIG_USER_NS)": "请使用支持用户命名空间的内核（CONFIG_USER_NS）",
  'a container or another sandbox around this one forbids it: allow user namespaces and mounts there, or rely on the outer one and set "sandbox" to "off" in your own configuration':
    '外层的容器或沙箱禁止它：请在那里允许用户命名空间和挂载，或依靠外层并在你自己的配置中把 "sandbox" 设为 "off"',
  "no sandbox: it is switched off": "没有沙箱：已关闭",
  'set "sandbox" to "auto" in your own configuration': '请在你自己的配置中把 "sandbox" 设为 "auto"',
  "no sandbox: there is none for this platform ({platform:word})": "没有沙箱：此平台（{platform}）不支持",
  "read every question with care, or work in a virtual machine or in WSL 2":
    "请仔细阅读每个问题，或在虚拟机或 WSL 2 中工作",
  "no sandbox: the workspace {path} is your home folder": "没有沙箱：工作区 {path} 是你的主文件夹",
  "no sandbox: the workspace {path} contains your home folder": "没有沙箱：工作区 {path} 包含你的主文件夹",
  "no sandbox: the workspace {path} contains {shared}, which all programs share":
    "没有沙箱：工作区 {path} 包含所有程序共用的 {shared}",
  "start in the folder of one project": "请在单个项目的文件夹中启动",

  // What a session begins with.
  'the rule "{rule}" ({origin:phrase}) is ignored, {problem:known}':
    "规则“{rule}”（{origin}）被忽略，{problem}",
  'the rule "{rule}" ({origin:phrase}) is broad: {problem:known}': "规则“{rule}”（{origin}）过宽：{problem}",
  "bypass mode: nothing is asked; only hard denials hold": "bypass 模式：一概不问；只有硬性禁止仍然有效",
  "the workspace is {path}: all of it may be read, and no sandbox can confine commands there":
    "工作区是 {path}：其中的一切都可能被读取，且没有沙箱能限制那里的命令",
  "nothing came from standard input within 1 s; going on without it":
    "标准输入在 1 秒内没有内容；不等待它，继续运行",
  "standard input is not UTF-8: characters that could not be read are shown as \ufffd":
    "标准输入不是 UTF-8：无法识别的字符显示为 \ufffd",
  "parts of {path} do not count, since this folder is not trusted: run mini-cc trust":
    "{path} 的一部分无效，因为此文件夹未受信任：请运行 mini-cc trust",

  // The command line.
  "--resume needs the ID of a session": "--resume 需要会话 ID",
  "mini-cc sessions lists them; --continue goes on with the latest of this folder":
    "mini-cc sessions 可列出会话；--continue 继续此文件夹最近的会话",
  "--fork needs to know which session it copies": "--fork 需要知道复制哪个会话",
  "Name it with --resume ID, or take the latest of this folder with --continue":
    "请用 --resume ID 指定，或用 --continue 取此文件夹最近的会话",
  "{path} is not a folder": "{path} 不是文件夹",
  "there is no folder {path}": "没有文件夹 {path}",
  "Give an existing folder with --cwd": "请用 --cwd 指定一个存在的文件夹",
  "the current folder does not exist any more": "当前文件夹已不存在",
  "Change to another folder and start again": "请切换到其他文件夹后重新启动",
  "the output could not be written: {why:phrase}": "无法写入输出：{why}",
  "ended by {signal:word}": "被 {signal} 终止",
  "exit code unknown": "退出码未知",
  "exit code {code:number}": "退出码 {code}",
  "{path}: {why:known}": "{path}：{why}",
};
