// The least that anybody can do: POST a chat and parse each line of the reply.
const [url, prompt] = process.argv.slice(2);
const response = await fetch(`${url}/api/chat`, {
  method: "POST",
  body: JSON.stringify({ model: "scripted", messages: [{ role: "user", content: prompt }] }),
});
let carried = "";
let text = "";
for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
  const lines = (carried + piece).split("\n");
  carried = lines.pop();
  for (const line of lines) text += JSON.parse(line).message.content;
}
if (text === "") process.exit(1);
