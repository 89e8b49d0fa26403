package io.bloomgate.config.settings;

/** Turns the text of one setting into its value; pure. The readers are in {@link Values}. */
@FunctionalInterface
interface ValueReader<T> {

  /** The value. */
  T read(String text) throws BadValueException;
}
