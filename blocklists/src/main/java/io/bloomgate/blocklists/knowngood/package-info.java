/**
 * Which entries of a list would hit senders that are known to be good: told before the list goes
 * live. Knows keys and entries only.
 */
@NullMarked
package io.bloomgate.blocklists.knowngood;

import org.jspecify.annotations.NullMarked;
