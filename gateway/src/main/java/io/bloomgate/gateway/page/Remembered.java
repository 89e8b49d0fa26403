package io.bloomgate.gateway.page;

import io.bloomgate.config.control.ControlClient.Answer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Answers that take a reading of all kept sessions or of whole feeds, for a minute: a page that is
 * loaded again and again must not read again and again. Thread-safe.
 */
final class Remembered {

  private static final Duration FOR = Duration.ofMinutes(1);

  /** Answers at the same time; the oldest is forgotten first. */
  private static final int MAX_ANSWERS = 64;

  private record Known(Answer answer, long at) {}

  private final LongSupplier nanoTime;
  private final Map<String, Known> answers = new LinkedHashMap<>();

  Remembered(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** The answer of that name; asked for again when it is too old. */
  Answer get(String name, Supplier<Answer> question) {
    long now = nanoTime.getAsLong();
    synchronized (answers) {
      Known known = answers.get(name);
      if (known != null && now - known.at() < FOR.toNanos()) {
        return known.answer();
      }
    }
    Answer answer = question.get();
    if (answer.failure().isEmpty()) {
      synchronized (answers) {
        answers.remove(name);
        if (answers.size() >= MAX_ANSWERS) {
          answers.remove(answers.keySet().iterator().next());
        }
        answers.put(name, new Known(answer, now));
      }
    }
    return answer;
  }
}
