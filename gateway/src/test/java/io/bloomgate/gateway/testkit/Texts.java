package io.bloomgate.gateway.testkit;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlClient.Answer;

/** What texts and answers have in them, and shows them where they do not. */
public final class Texts {

  private Texts() {}

  public static void assertHas(String text, String... parts) {
    for (String part : parts) {
      assertTrue(text.contains(part), () -> part + " is not in " + text);
    }
  }

  public static void assertLacks(String text, String... parts) {
    for (String part : parts) {
      assertFalse(text.contains(part), () -> part + " is in " + text);
    }
  }

  public static void assertSays(Answer answer, String... parts) {
    for (String part : parts) {
      assertTrue(answer.says(part), () -> part + " is not said by " + answer);
    }
  }
}
