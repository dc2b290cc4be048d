/** Moves the focus to the first invalid field, once the errors are rendered. */
export function focusFirstError(root: ParentNode = document): void {
  requestAnimationFrame(() => root.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}
