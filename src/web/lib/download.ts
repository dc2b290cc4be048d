/** Downloads a text as a file. */
export function downloadText(fileName: string, type: string, text: string): void {
  saveFile(new Blob([text], { type: `${type};charset=utf-8` }), fileName);
}

/** Downloads a file that is in memory. For a file from the server a plain link is enough. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Delayed: the browser reads the file after the click handler returns.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
