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
  record Ok<T>(T value, @Nullable String warning) implements Parsed<T> {

    @Override
    public <U> Parsed<U> map(Function<? super T, ? extends U> made) {
      return new Ok<>(made.apply(value), warning);
    }

    @Override
    public <U> Parsed<U> then(Function<? super T, Parsed<U>> read) {
      return read.apply(value);
    }

    @Override
    public Optional<T> toOptional() {
      return Optional.of(value);
    }
  }

  /** No value; {@code reason} is a short English phrase without any of the text that was read. */
  record Bad<T>(String reason) implements Parsed<T> {

    @Override
    public <U> Parsed<U> map(Function<? super T, ? extends U> made) {
      return bad(reason);
    }

    @Override
    public <U> Parsed<U> then(Function<? super T, Parsed<U>> read) {
      return bad(reason);
    }

    @Override
    public Optional<T> toOptional() {
      return Optional.empty();
    }
  }

  /** A value without a warning. */
  static <T> Parsed<T> ok(T value) {
    return new Ok<>(value, null);
  }

  /** No value, for this reason. */
  static <T> Parsed<T> bad(String reason) {
    return new Bad<>(reason);
  }

  /** The same of what is made of the value. */
  <U> Parsed<U> map(Function<? super T, ? extends U> made);

  /** The result of reading on with the value, whose warning is dropped. */
  <U> Parsed<U> then(Function<? super T, Parsed<U>> read);

  /** The value, if there is one. */
  Optional<T> toOptional();
}
