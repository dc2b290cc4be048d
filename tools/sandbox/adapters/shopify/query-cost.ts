import {
  type DocumentNode,
  type FieldNode,
  type GraphQLOutputType,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql';
import { SCHEMA } from './schema.ts';

type Variables = Readonly<Record<string, unknown>>;

/** Estimates: Shopify does not publish its formula; these are close for pages and mutations. */
const CONNECTION_COST = 2;
const MUTATION_COST = 10;
/** The share of an object's own cost that is charged inside a page. */
const SHARE_IN_PAGE = 0.25;
const VARIANT_COST = 0.4;

/** The requested cost of a query, in points. */
export function costOf(document: DocumentNode, variables: Variables): number {
  let points = 0;
  for (const part of document.definitions) {
    if (part.kind !== Kind.OPERATION_DEFINITION) continue;
    const root = SCHEMA.getRootType(part.operation);
    if (root == null) continue;
    points += selectionCost(root, part.selectionSet, variables);
    if (part.operation === 'mutation') points += MUTATION_COST + mutationCost(part.selectionSet, variables);
  }
  return Math.ceil(points);
}

function selectionCost(type: GraphQLOutputType, set: SelectionSetNode, variables: Variables): number {
  let points = 0;
  for (const selection of set.selections) {
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      const inner = SCHEMA.getType(selection.typeCondition?.name.value ?? '');
      points += selectionCost(isObjectType(inner) ? inner : type, selection.selectionSet, variables);
    } else if (selection.kind === Kind.FIELD) points += fieldCost(type, selection, variables);
  }
  return points;
}

function fieldCost(parent: GraphQLOutputType, field: FieldNode, variables: Variables): number {
  const fields = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields() : {};
  const type = fields[field.name.value]?.type;
  if (type === undefined || field.selectionSet === undefined) return 0;
  const named = getNamedType(type);
  if (!isCompositeType(named)) return 0;
  const inner = selectionCost(named, field.selectionSet, variables);
  // An edge leads to an object and costs nothing itself.
  if (named.name.endsWith('Edge')) return inner;
  if (!named.name.endsWith('Connection')) return 1 + inner;
  const size = Number(argumentOf(field, 'first', variables) ?? argumentOf(field, 'last', variables) ?? 0);
  return CONNECTION_COST + size * inner * SHARE_IN_PAGE;
}

function mutationCost({ selections }: SelectionSetNode, variables: Variables): number {
  return selections.reduce((sum, selection) => {
    const variants = selection.kind === Kind.FIELD ? argumentOf(selection, 'variants', variables) : null;
    return sum + (Array.isArray(variants) ? variants.length * VARIANT_COST : 0);
  }, 0);
}

function argumentOf(field: FieldNode, name: string, variables: Variables): unknown {
  const argument = field.arguments?.find((one) => one.name.value === name);
  return argument === undefined ? undefined : valueFromASTUntyped(argument.value, { ...variables });
}
