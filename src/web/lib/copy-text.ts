import { toast } from '#web/lib/use-toast.ts';

/**
 * Copies a text; if the browser does not allow that, selects the element that shows it.
 * @param what such as "Secret"
 */
export async function copyText(text: string, what: string, shownIn: Node | null): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied`, 'Paste it in a safe place.');
  } catch {
    // Browsers offer the clipboard only on https and loopback.
    if (shownIn !== null) window.getSelection()?.selectAllChildren(shownIn);
    toast('Press Ctrl+C to copy', 'This browser blocked copying. The text is selected.');
  }
}
