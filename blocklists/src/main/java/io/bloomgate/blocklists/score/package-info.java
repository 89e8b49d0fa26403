/**
 * What is kept of each feed for its scorecard and its promotion: which action it has since when,
 * what the operator asked for, octets that were fetched. Rows of {@link
 * io.bloomgate.blocklists.database.FeedStates}. The gateway's package of that name judges by it.
 */
@NullMarked
package io.bloomgate.blocklists.score;

import org.jspecify.annotations.NullMarked;
