import type { EditProvider, ProviderSettings } from '#contract/identity-provider.ts';

/** The values of the form: lists as text, one name a line. */
export type ProviderForm = Omit<
  EditProvider,
  'version' | 'scopes' | 'adminGroups' | 'userGroups' | 'factorAcrs'
> & {
  readonly scopes: string;
  readonly adminGroups: string;
  readonly userGroups: string;
  readonly factorAcrs: string;
};

/** Before the first save: nothing is allowed that was not chosen. */
const EMPTY: ProviderForm = {
  isOn: false,
  issuer: '',
  clientId: '',
  clientSecret: '',
  label: '',
  scopes: 'openid email profile',
  groupsClaim: 'groups',
  adminGroups: '',
  userGroups: '',
  linksAccounts: false,
  createsAccounts: false,
  secondFactor: 'reported',
  factorAcrs: '',
  directLogin: 'all',
};

export function formOf({ values }: Pick<ProviderSettings, 'values'>): ProviderForm {
  if (values === null) return EMPTY;
  return {
    ...values,
    scopes: values.scopes.join(' '),
    adminGroups: values.adminGroups.join('\n'),
    userGroups: values.userGroups.join('\n'),
    factorAcrs: values.factorAcrs.join('\n'),
  };
}

export function editOf(form: ProviderForm, version: number | null): EditProvider {
  return {
    ...form,
    scopes: form.scopes.split(/\s+/).filter((scope) => scope !== ''),
    adminGroups: linesOf(form.adminGroups),
    userGroups: linesOf(form.userGroups),
    factorAcrs: linesOf(form.factorAcrs),
    version,
  };
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
