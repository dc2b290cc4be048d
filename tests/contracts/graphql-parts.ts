import {
  buildSchema,
  type GraphQLField,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';

/** Definitions of a schema that are not in another one, of which it should be a subset: one line each. */
export function partsNotIn(whole: string, part: string): readonly string[] {
  const official = buildSchema(whole, { assumeValidSDL: true });
  const types = Object.values(buildSchema(part).getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  return types.flatMap((type) => {
    const same = official.getType(type.name);
    if (same === undefined) return [`${type.name} is not known`];
    const known = new Set(partsOf(same));
    return partsOf(type).filter((each) => !known.has(each));
  });
}

/** All definitions of a type. */
function partsOf(type: GraphQLNamedType): string[] {
  const { name } = type;
  if (isEnumType(type)) return type.getValues().map((value) => `${name} ${value.name}`);
  if (isInputObjectType(type)) {
    return Object.values(type.getFields()).map((field) => `${name}.${field.name}: ${field.type}`);
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return [`${name} ${type.constructor.name}`];
  return [
    ...type.getInterfaces().map((one) => `${name} implements ${one.name}`),
    ...Object.values(type.getFields()).flatMap((field) => fieldParts(name, field)),
  ];
}

function fieldParts(name: string, field: GraphQLField<unknown, unknown>): string[] {
  const place = `${name}.${field.name}`;
  return [
    `${place}: ${field.type}`,
    ...field.args.map(
      ({ name: argument, type, defaultValue }) =>
        `${place}(${argument}: ${type} = ${JSON.stringify(defaultValue) ?? 'nothing'})`,
    ),
  ];
}
