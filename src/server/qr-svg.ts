/**
 * A text as a QR code.
 * @returns a whole `<svg>`, black on white whatever the theme, with the four quiet fields around it that cameras need
 */
export async function qrSvg(text: string): Promise<string> {
  // Loaded with the first picture: the library takes some megabytes, and there are weeks without one.
  const qrcode = await import('qrcode');
  return qrcode.toString(text, { type: 'svg', errorCorrectionLevel: 'M', margin: 4 });
}
