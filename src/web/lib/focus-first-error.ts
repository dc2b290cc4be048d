/** Moves the focus to the first field that is marked as wrong, once the marks are drawn. */
export function focusFirstError(root: ParentNode = document): void {
  requestAnimationFrame(() => root.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}
