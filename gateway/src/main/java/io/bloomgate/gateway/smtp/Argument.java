package io.bloomgate.gateway.smtp;

/**
 * The result of reading the argument of a command: a value, or the reply that names what is wrong
 * with it. Immutable.
 */
public sealed interface Argument<T> {

  /** Well formed. */
  record Valid<T>(T value) implements Argument<T> {}

  /** Not well formed, or not possible here. */
  record Invalid<T>(Reply reply) implements Argument<T> {}
}
