package io.bloomgate.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers that are not whole, rounded to three digits. */
final class FractionTextTest {

  @ParameterizedTest
  @CsvSource({
    "0.0,0",
    "0.001023,0.00102",
    "15.744,15.7",
    "0.3985,0.399",
    "9.995,10",
    "0.99951,1",
    "1234.56,'1,235'",
    "1.02E-3,0.00102",
    "9.999E-6,0.00001",
    "1.5E-7,1.5E-7",
    "-0.12345,-0.123",
    "1.0E9,'1,000,000,000'",
    "0.00000012345,1.23E-7",
    "1.,1",
    "x.1,x.1",
    "100.0,100"
  })
  void hasThreeDigitsOrAllInFrontOfTheDot(String literal, String shown) {
    assertEquals(shown, HumanText.grouped(literal));
  }

  /** As the arithmetic of the library does it. */
  @Test
  void isRoundedAsByTheLibrary() {
    Random random = new Random(15);
    for (int i = 0; i < 20_000; i++) {
      String literal =
          random.nextBoolean()
              ? Double.toString(random.nextDouble() * Math.pow(10, random.nextInt(14) - 6))
              : random.nextInt(100_000) + "." + random.nextInt(100_000);
      BigDecimal exact = new BigDecimal(literal);
      int digits = Math.max(3, exact.precision() - exact.scale());
      BigDecimal shown = exact.round(new MathContext(digits)).stripTrailingZeros();
      boolean tiny = shown.signum() != 0 && shown.compareTo(new BigDecimal("0.000001")) < 0;
      String expected = tiny ? shown.toString() : shown.toPlainString();
      assertEquals(expected, HumanText.grouped(literal).replace(",", ""), literal);
    }
  }
}
