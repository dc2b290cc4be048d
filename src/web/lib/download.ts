/** Hands a text to the browser as a file to keep. */
export function downloadText(fileName: string, type: string, text: string): void {
  saveFile(new Blob([text], { type: `${type};charset=utf-8` }), fileName);
}

/** Has the browser save a file that is already here. Where the server's answer is the file, a plain link does. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Not at once: the browser reads it after the click has been dealt with.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
