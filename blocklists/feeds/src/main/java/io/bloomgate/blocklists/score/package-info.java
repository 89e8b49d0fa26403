/**
 * The stored facts about each feed for its scorecard and its promotion: its action and since when
 * it has it, what the operator asked for, octets that were fetched. Rows of {@link
 * io.bloomgate.blocklists.database.FeedStates}. The gateway's package of that name judges by it.
 */
@NullMarked
package io.bloomgate.blocklists.score;

import org.jspecify.annotations.NullMarked;
