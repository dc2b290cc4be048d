import { isDeepStrictEqual } from 'node:util';
import { type DocumentNode, execute, GraphQLError, type GraphQLSchema, parse, validate } from 'graphql';
import type { Deviation, Exchange } from './exchange.ts';

interface Asked {
  readonly query?: unknown;
  readonly variables?: unknown;
}
interface Answered {
  readonly data?: unknown;
  readonly errors?: unknown;
}

/** Checks GraphQL calls against a schema: the query itself, and the response by running the query on it. */
export function graphqlChecker(schema: GraphQLSchema): (exchange: Exchange) => Deviation[] {
  return (exchange) => {
    const { service, requestBody, responseBody, status } = exchange;
    const call = `POST ${exchange.path}`;
    const tell = (side: Deviation['side'], problem: string): Deviation => ({
      service,
      call,
      side,
      where: 'graphql',
      problem,
    });
    const requested = JSON.parse(requestBody) as Asked;
    const document = parsed(String(requested.query));
    if (document instanceof GraphQLError) return [tell('request', document.message)];
    const wrong = validate(schema, document).map(({ message }) => tell('request', message));
    // HTTP errors of the shop are not GraphQL.
    if (wrong.length > 0 || status !== 200) return wrong;
    const { data, errors } = JSON.parse(responseBody) as Answered;
    if (data === undefined || data === null) {
      return Array.isArray(errors) ? [] : [tell('answer', 'has neither data nor errors')];
    }
    return answerProblems(schema, document, requested.variables, data).map(([side, problem]) =>
      tell(side, problem),
    );
  };
}

function parsed(query: string): DocumentNode | GraphQLError {
  try {
    return parse(query);
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}

/** Runs the query on the response: whatever the schema does not allow there becomes an error or is missing. */
function answerProblems(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: unknown,
  data: unknown,
): (readonly [Deviation['side'], string])[] {
  const again = execute({
    schema,
    document,
    rootValue: data,
    variableValues: (variables ?? {}) as Record<string, unknown>,
    // By the name in the response, which may be an alias.
    fieldResolver: (source: Record<string, unknown>, _args, _context, { path }) => source[path.key],
    typeResolver: (
      value: { readonly __typename?: string; readonly id?: string },
      _context,
      _info,
      abstract,
    ) =>
      value.__typename ??
      /^gid:\/\/shopify\/(\w+)\//.exec(value.id ?? '')?.[1] ??
      // Only members common to all types were selected: any type will do.
      schema.getPossibleTypes(abstract)[0]?.name,
  });
  if (again instanceof Promise) throw new Error('The answer is at hand: nothing may wait for it.');
  const { data: allowed, errors = [] } = again;
  const reported = errors.map(({ message, path }) =>
    path === undefined
      ? (['request', message] as const)
      : (['answer', `${path.join('.')}: ${message}`] as const),
  );
  if (reported.length > 0) return reported;
  const same = isDeepStrictEqual(JSON.parse(JSON.stringify(allowed)), data);
  return same ? [] : [['answer', 'has members that were not asked for, or values of another kind']];
}
