package io.bloomgate.cli;

import io.bloomgate.config.settings.BadValueException;
import io.bloomgate.config.settings.Quantities;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code 7d} and the like on the command line, as the settings do. */
final class DurationConverter implements ITypeConverter<Duration> {

  @Override
  public Duration convert(String value) {
    try {
      return Quantities.duration(value);
    } catch (BadValueException e) {
      throw new TypeConversionException(e.problem() + "; " + e.hint());
    }
  }
}
