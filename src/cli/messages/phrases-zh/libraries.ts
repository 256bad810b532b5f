import type { Phrases } from "../translator.js";

/**
 * What is wrong with a value, in the words of Zod, with a file, in those of jsonc-parser, and with a command line, in
 * those of commander; and the headings of its help.
 */
export const libraries: Phrases = {
  "Usage:": "用法：",
  "Arguments:": "参数：",
  "Options:": "选项：",
  "Global Options:": "通用选项：",
  "Commands:": "命令：",
  // Steps of a download, in the words of Ollama.
  "pulling manifest": "正在读取清单",
  "pulling {digest:word}": "正在下载 {digest}",
  "verifying sha256 digest": "正在校验 sha256",
  "writing manifest": "正在写入清单",
  "removing any unused layers": "正在清除不再使用的层",
  "removing unused layers": "正在清除不再使用的层",
  success: "成功",

  "missing required argument '{name}'": "缺少参数 {name}",
  "option '{flags}' argument missing": "选项“{flags}”缺少值",
  "unexpected argument '{argument}'": "多余的参数“{argument}”",

  "expected one of {choices}": "可用的值为 {choices}",
  "expected {what:known}, received {given:known}": "应为{what}，实际是{given}",
  "Too small: expected {what:known} to be >={least:number}": "太小：{what}不能小于 {least}",
  "Too big: expected {what:known} to be <={most:number}": "太大：{what}不能大于 {most}",
  "Too small: expected {what:known} to have >={least:number} characters":
    "太短：{what}至少要有 {least} 个字符",
  number: "数字",
  NaN: "非数字",
  int: "整数",
  string: "字符串",
  boolean: "布尔值（true 或 false）",
  array: "列表",
  object: "对象",
  null: "空值（null）",
  undefined: "空缺",

  // What a JSON parser expected.
  "invalid symbol": "无效的符号",
  "invalid number format": "数字格式无效",
  "property name expected": "此处应为键名",
  "value expected": "此处应为值",
  "colon expected": "此处应为冒号",
  "comma expected": "此处应为逗号",
  "close brace expected": "此处应为右花括号",
  "close bracket expected": "此处应为右方括号",
  "end of file expected": "此处文件应已结束",
  "invalid comment token": "无效的注释",
  "unexpected end of comment": "注释没有结束",
  "unexpected end of string": "字符串没有结束",
  "unexpected end of number": "数字没有结束",
  "invalid unicode": "无效的 Unicode 转义",
  "invalid escape character": "无效的转义字符",
  "invalid character": "无效的字符",
};
