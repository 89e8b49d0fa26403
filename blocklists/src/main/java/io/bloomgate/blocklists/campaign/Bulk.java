package io.bloomgate.blocklists.campaign;

/**
 * How many copies of a mail passed within the window: evidence, never a reason to refuse, as
 * newsletters have many copies, too. Given to sessions by {@link Campaigns}. Immutable.
 *
 * @param campaign by which {@code top --by campaign} shows it; empty for {@link #NONE}
 * @param copies about as many; those that were changed may be missed
 * @param networks of clients that sent them, about as many (10 %); counted from the copy on that
 *     made the mail a campaign
 */
public record Bulk(String campaign, int copies, int networks) {

  /** Not enough copies to speak of. */
  public static final Bulk NONE = new Bulk("", 0, 0);

  /** True when there are many copies. */
  public boolean isCampaign() {
    return !campaign.isEmpty();
  }

  /** As header and log say it: {@code 312/87}. */
  @Override
  public String toString() {
    return copies + "/" + networks;
  }
}
