/**
 * A text as a QR code.
 * @returns a complete `<svg>`, black on white in every theme, with the quiet zone of four modules that cameras need
 */
export async function qrSvg(text: string): Promise<string> {
  // Loaded on first use: the library takes several megabytes and is rarely needed.
  const qrcode = await import('qrcode');
  return qrcode.toString(text, { type: 'svg', errorCorrectionLevel: 'M', margin: 4 });
}
