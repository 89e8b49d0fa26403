package io.bloomgate.config.name;

/** The two lists of the operator. */
public enum ListKind implements Keyed {
  ALLOW,
  BLOCK
}
