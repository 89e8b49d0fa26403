package io.bloomgate.blocklists.campaign;

/**
 * The number of copies of a mail that passed within the window: evidence, never a reason to refuse,
 * as newsletters have many copies, too. Given to sessions by {@link Campaigns}. Immutable.
 *
 * @param campaign by which {@code top --by campaign} shows it
 * @param copies about as many; those that were changed may be missed
 * @param networks of clients that sent them, about as many (10 %); counted from a quarter of {@code
 *     content.bulk.copies} on
 */
public record Bulk(String campaign, int copies, int networks) {

  /** Returns the text of header and log: {@code 312/87}. */
  @Override
  public String toString() {
    return copies + "/" + networks;
  }
}
