package io.bloomgate.blocklists.index;

import io.bloomgate.config.name.AsNumber;
import org.jspecify.annotations.Nullable;

/**
 * Says whose network an address is in, by one table. It is no {@link Listing}: rules ask it for
 * their conditions, lists of AS numbers for their key, and nothing else counts it. Made by {@link
 * AsnTable}. Immutable.
 *
 * @param feed name of the table
 * @param number {@code null} where the table does not say it
 * @param country two capital letters; empty where the table does not say it
 */
public record AsnAnswer(String feed, @Nullable AsNumber number, String country) {

  /** The answer in one word, for logs and evidence: {@code AS64500/FR}, {@code AS64500}, FR. */
  public String key() {
    return number == null ? country : number + (country.isEmpty() ? "" : "/" + country);
  }

  /** The same for people: {@code AS64500 (FR)}. */
  public String words() {
    return number == null ? country : number + (country.isEmpty() ? "" : " (" + country + ")");
  }
}
