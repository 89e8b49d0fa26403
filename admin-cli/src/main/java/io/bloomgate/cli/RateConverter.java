package io.bloomgate.cli;

import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a ratio of false positives on the command line: {@code 0.001}, {@code 1e-3}. */
final class RateConverter implements ITypeConverter<Double> {

  private static final Pattern NUMBER =
      Pattern.compile("[0-9]{0,9}(?:\\.[0-9]{1,20})?(?:[eE]-?[0-9]{1,3})?");

  @Override
  public Double convert(String value) {
    if (NUMBER.matcher(value).matches() && !value.isEmpty() && value.charAt(0) <= '9') {
      double rate = Double.parseDouble(value);
      if (rate > 0 && rate < 1) {
        return rate;
      }
    }
    throw new TypeConversionException(
        "`" + value + "` is no ratio between 0 and 1; write for example 0.001 for 0.1 %");
  }
}
