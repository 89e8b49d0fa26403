package io.bloomgate.blocklists.content;

import static io.bloomgate.blocklists.content.Mails.mail;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines that mail clients join without the space at their ends (RFC 3676). */
final class FlowingTest {

  private static final String TYPE = "text/plain; format=flowed; delsp=yes";

  private static String read(String text, int piece) {
    StringBuilder read = new StringBuilder();
    Flowing flowing = new Flowing((out, from, to) -> read.append(out, from, to - from));
    flowing.start();
    char[] characters = text.toCharArray();
    for (int at = 0; at < characters.length; at += piece) {
      flowing.put(characters, at, Math.min(characters.length, at + piece));
    }
    flowing.end();
    return read.toString().strip();
  }

  /** A vertical line is a line end. */
  @ParameterizedTest
  @CsvSource(
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "a |b,ab",
        "a  |b,a b",
        "a|b,a|b",
        "a | b,ab",
        "a |  b,a b",
        "a | > b,a> b",
        "> a |> b,>ab",
        "> a |>> b,>a|>>b",
        "> a |b,>a|b",
        ">> a |>>b |>>c,>>abc",
        "a|-- |b,a|--|b",
        "a |-- |b,a--|b",
        "--  |b,-- b",
      })
  void joinsLines(String text, String joined) {
    String lines = text.replace("|", "\r\n");
    String wanted = joined.replace('|', '\n');
    for (int piece = 1; piece < 6; piece++) {
      assertEquals(wanted, read(lines, piece), text);
    }
  }

  /** Every cut of a text gives the same. */
  @Test
  void cutsMakeNoDifference() {
    SplittableRandom random = new SplittableRandom(20_261_126);
    for (int round = 0; round < 2_000; round++) {
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(40); i >= 0; i--) {
        text.append("a >\r\n-".charAt(random.nextInt(6)));
      }
      String whole = read(text.toString(), text.length());
      assertEquals(whole, read(text.toString(), 1 + random.nextInt(3)), text::toString);
    }
  }

  @Test
  void findsUrlsBehindSoftBreaks() {
    String body = "see http://bad.exam \nple.com/lo \n ng and \n> http://quoted.e \n>xample.com/\n";
    List<String> keys = Mails.keys(mail(TYPE, "7bit", body));
    assertTrue(keys.contains("url OPEN bad.example.com/long"), keys::toString);
    assertTrue(keys.contains("url_host OPEN quoted.example.com"), keys::toString);
    keys = Mails.keys(mail("text/plain; Format=\"Flowed\"; DelSp=YES", "7bit", body));
    assertTrue(keys.contains("url OPEN bad.example.com/long"), keys::toString);
    for (String type : List.of("text/plain; format=flowed", "text/plain; delsp=yes")) {
      keys = Mails.keys(mail(type, "7bit", body));
      assertFalse(keys.contains("url OPEN bad.example.com/long"), keys::toString);
    }
  }

  /** Other clients break the line there: what these find is evidence as well. */
  @Test
  void keepsWhatOtherClientsFind() {
    List<String> keys = Mails.keys(mail(TYPE, "7bit", "http://one.example.com/a \nb\n"));
    assertTrue(keys.contains("url OPEN one.example.com/a"), keys::toString);
    assertTrue(keys.contains("url OPEN one.example.com/ab"), keys::toString);
  }
}
