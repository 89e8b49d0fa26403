package io.bloomgate.config.name;

import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The result of reading a text at the border: a value, or the reason why there is none. Parsers
 * return this instead of throwing, because feeds hold bad lines by the thousand. Immutable.
 */
public sealed interface Parsed<T> {

  /**
   * A value.
   *
   * @param warning what was corrected (host bits masked), {@code null} when nothing was
   */
  record Ok<T>(T value, @Nullable String warning) implements Parsed<T> {}

  /** No value; {@code reason} is a short English phrase without any of the text that was read. */
  record Bad<T>(String reason) implements Parsed<T> {}

  /** A value without a warning. */
  static <T> Parsed<T> ok(T value) {
    return new Ok<>(value, null);
  }

  /** No value, for this reason. */
  static <T> Parsed<T> bad(String reason) {
    return new Bad<>(reason);
  }

  /** The same of what is made of the value. */
  default <U> Parsed<U> map(Function<? super T, ? extends U> made) {
    return this instanceof Ok<T>(T value, String warning)
        ? new Ok<>(made.apply(value), warning)
        : new Bad<>(((Bad<T>) this).reason);
  }

  /** The result of reading on with the value, whose warning is dropped. */
  default <U> Parsed<U> then(Function<? super T, Parsed<U>> read) {
    return this instanceof Ok<T> ok ? read.apply(ok.value) : new Bad<>(((Bad<T>) this).reason);
  }

  /** The value, if there is one. */
  default Optional<T> toOptional() {
    return this instanceof Ok<T> ok ? Optional.of(ok.value) : Optional.empty();
  }
}
