/** Texts of every kind that a conversation about code holds, each some hundred tokens long. */
export const SAMPLES: Readonly<Record<string, string>> = {
  English: `The parser accepts a file that ends in the middle of a line, and reports where it stopped. When the cache
is older than the source, both are read again; otherwise only the index is opened. Please keep the public interface as
it is, because other teams depend on it, and explain in the commit message why the old behaviour was wrong. Reviewers
have asked twice for a test that fails without the change.`,

  TypeScript: `export async function readRecords(path: string, options: ReadOptions = {}): Promise<Record<string, unknown>[]> {
  const { encoding = "utf8", maxBytes = 64 * 1024, onDamaged } = options;
  const text = await readFile(path, { encoding });
  const records: Record<string, unknown>[] = [];
  for (const [index, line] of text.split("\\n").entries()) {
    if (line.trim() === "" || line.length > maxBytes) continue;
    try {
      records.push(JSON.parse(line) as Record<string, unknown>);
    } catch (error) {
      onDamaged?.({ index, error: error instanceof Error ? error.message : String(error) });
    }
  }
  return records;
}
`,

  Python: `class TokenBucket:
    """Lets at most \`rate\` calls a second pass."""

    def __init__(self, rate: float, capacity: int = 10) -> None:
        self._rate = rate
        self._capacity = capacity
        self._tokens = float(capacity)
        self._updated_at = time.monotonic()

    def take(self, count: int = 1) -> bool:
        now = time.monotonic()
        self._tokens = min(self._capacity, self._tokens + (now - self._updated_at) * self._rate)
        self._updated_at = now
        if self._tokens < count:
            return False
        self._tokens -= count
        return True
`,

  Chinese: `请先阅读项目的说明文件，然后修复失败的测试。不要修改公共接口，也不要删除任何文件。如果遇到权限问题，请停下来
告诉我原因，不要自行绕过。解析器在文件末尾没有换行符时会丢失最后一行，这个问题已经有人报告过两次。修改之后请运行全部测试，
并用一句话说明为什么原来的做法是错误的。缓存比源文件旧的时候，两者都要重新读取。`,

  Japanese: `まず README を読んでから、失敗しているテストを直してください。公開されているインターフェースは変更しないで
ください。ファイルの最後に改行がない場合、パーサーは最後の行を失います。この問題はすでに二回報告されています。修正した後で、
すべてのテストを実行し、なぜ以前の動作が間違っていたのかを一文で説明してください。`,

  Korean: `먼저 설명 파일을 읽은 다음 실패한 테스트를 고쳐 주세요. 공개 인터페이스는 변경하지 마세요. 파일 끝에 줄바꿈이 없으면
파서가 마지막 줄을 잃어버립니다. 이 문제는 이미 두 번 보고되었습니다. 수정한 뒤에는 모든 테스트를 실행하고 이전 동작이 왜
잘못되었는지 한 문장으로 설명해 주세요.`,

  Russian: `Сначала прочитайте описание проекта, затем исправьте упавшие тесты. Не меняйте открытый интерфейс и не удаляйте
файлы. Если в конце файла нет перевода строки, разборщик теряет последнюю строку; об этом уже сообщали дважды. После
исправления запустите все тесты и одним предложением объясните, почему прежнее поведение было неверным.`,

  JSON: JSON.stringify(
    Array.from({ length: 12 }, (_, index) => ({
      id: index * 7 + 3,
      name: `service-${index}`,
      enabled: index % 3 === 0,
      limits: { memory: "512Mi", timeoutSeconds: 30 },
      tags: ["backend", "critical"],
      path: `/var/lib/app/data/${index}.json`,
    })),
    undefined,
    2,
  ),

  digits: Array.from(
    { length: 40 },
    (_, index) => `${index * 7919} ${(index * 104_729) % 1_000_003}.25`,
  ).join("\n"),

  minified: `!function(e,t){"object"==typeof exports&&"undefined"!=typeof module?t(exports):(e=e||self,t(e.lib={}))}(this,(function(e){"use strict";var t=function(e,n){return(t=Object.setPrototypeOf||function(e,t){for(var n in t)t.hasOwnProperty(n)&&(e[n]=t[n])})(e,n)};function n(e,t,n,r){var o,i=arguments.length,a=i<3?t:null===r?r=Object.getOwnPropertyDescriptor(t,n):r;for(var c=e.length-1;c>=0;c--)(o=e[c])&&(a=(i<3?o(a):i>3?o(t,n,a):o(t,n))||a);return i>3&&a&&Object.defineProperty(t,n,a),a}e.extend=t,e.decorate=n}));`,

  base64: Buffer.from(
    Array.from({ length: 400 }, (_, index) => (index * index * 31 + index * 17 + 7) % 256),
  ).toString("base64"),

  diff: `--- a/src/cache.ts
+++ b/src/cache.ts
@@ -14,9 +14,11 @@ export function createCache(limit: number) {
   const entries = new Map<string, Entry>();
   return {
     get(key) {
-      return entries.get(key);
+      const entry = entries.get(key);
+      if (entry && entry.expiresAt < Date.now()) entries.delete(key);
+      return entry?.expiresAt >= Date.now() ? entry : undefined;
     },
`,

  log: `2026-08-14T09:31:07.412Z  WARN  [worker-3] request 8f1c2a timed out after 30000 ms (attempt 2/5)
2026-08-14T09:31:07.913Z  INFO  [worker-3] retrying request 8f1c2a in 1500 ms
2026-08-14T09:31:09.420Z ERROR  [worker-1] ENOENT: no such file or directory, open '/srv/app/config/local.yaml'
    at async open (node:internal/fs/promises:639:25)
    at async readConfig (file:///srv/app/dist/config.js:41:18)
`,
};
