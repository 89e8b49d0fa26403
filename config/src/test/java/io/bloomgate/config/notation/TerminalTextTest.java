package io.bloomgate.config.notation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Long lines on a narrow terminal. */
class TerminalTextTest {

  @Test
  void whatFollowsIsBelowTheValue() {
    assertEquals(
        List.of(
            "  listed   drop  203.0.113.7",
            "           line 1  client_ip",
            "           action reject"),
        TerminalText.fitted("  listed   drop  203.0.113.7  line 1  client_ip  action reject", 32));
    assertEquals(
        List.of("  ! a sentence that", "    goes on"),
        TerminalText.fitted("  ! a sentence that goes on", 20));
    assertEquals(
        List.of("a sentence that", "  goes on"),
        TerminalText.fitted("a sentence that goes on", 16));
  }

  @Test
  void aWordIsNotCutAndColoursTakeNoRoom() {
    String path = "/a/very/long/path/that/is/one/word";
    assertEquals(List.of("see", "  " + path), TerminalText.fitted("see " + path, 10));
    String red = "\u001b[31mred red\u001b[0m";
    assertEquals(List.of(red + " a"), TerminalText.fitted(red + " a", 9));
  }

  @Test
  void aCellIsBrokenAtItsMarksAndThenAnywhere() {
    assertEquals(List.of("bob", "@a.example"), TerminalText.lines("bob@a.example", 10));
    assertEquals(List.of("abcdef", "ghij"), TerminalText.lines("abcdefghij", 6));
    assertEquals(List.of("one two", "three"), TerminalText.lines("one two three", 8));
    assertEquals(List.of(""), TerminalText.lines("", 8));
  }
}
