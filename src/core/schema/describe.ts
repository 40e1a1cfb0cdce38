import { message, t } from '../text/l10n';
import type { Schema } from './schema';

const OWN = message('Tapedeck only.');

/** A description as it is shown. */
export function aboutOf({ description, isOwn }: Schema): string {
  return isOwn ? `${t(description)} ${t(OWN)}` : t(description);
}

/** What holds without a value, whoever fills it in. */
export function defaultOf({ default: filled, otherwise = filled }: Schema): Pick<Schema, 'default'> {
  return otherwise === undefined ? {} : { default: otherwise };
}

/** The schema as JSON Schema, draft 7, in English. */
export function jsonSchemaOf(schema: Schema): object {
  const { mayBeOne, ...all } = schema;
  if (!mayBeOne || schema.items === undefined) return schemaOf(all);
  const { description, ...ofList } = schemaOf(all) as { readonly description?: string };
  return { ...(description && { description }), anyOf: [ofList, jsonSchemaOf({ ...schema.items, description: '' })] };
}

function schemaOf(schema: Schema): object {
  const {
    type,
    description,
    isOwn,
    properties,
    additionalProperties,
    required,
    items,
    prefixItems,
    enum: choices,
    const: only,
    minimum,
    anyOf,
  } = schema;
  const members = properties && Object.entries(properties).map(([key, member]) => [key, jsonSchemaOf(member)] as const);
  return {
    ...(type && { type }),
    ...((description || isOwn) && { description: isOwn ? `${description} ${OWN}` : description }),
    ...(members && { properties: Object.fromEntries(members) }),
    ...(additionalProperties && { additionalProperties: jsonSchemaOf(additionalProperties) }),
    ...(required && { required }),
    ...(items && { items: jsonSchemaOf(items) }),
    ...(prefixItems && {
      items: prefixItems.map(jsonSchemaOf),
      minItems: prefixItems.length,
      additionalItems: false,
    }),
    ...(anyOf && { anyOf: anyOf.map(jsonSchemaOf) }),
    ...(choices && { enum: choices }),
    ...(only !== undefined && { const: only }),
    ...(minimum !== undefined && { minimum }),
    ...defaultOf(schema),
  };
}
