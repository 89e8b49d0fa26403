package io.bloomgate.gateway.page;

import io.bloomgate.config.control.ControlClient.Answer;
import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * The frame of each page, for the templates. Immutable.
 *
 * @param current the path of the page, which the navigation marks
 * @param author who may change something; empty for one who may only read
 * @param formToken is sent with each form; empty for a program
 * @param outcome of the last change, {@code null} for none
 * @param zone for moments
 */
record Shell(
    String current,
    String author,
    String formToken,
    @Nullable Answer outcome,
    Instant now,
    ZoneId zone) {

  boolean mayWrite() {
    return !author.isEmpty();
  }
}
