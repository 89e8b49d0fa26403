package io.bloomgate.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers that are not whole, rounded to three digits. */
final class HumanTextTest {

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
}
