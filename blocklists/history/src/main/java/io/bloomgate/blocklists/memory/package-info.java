/**
 * The memory of what this gateway saw in spam itself: sightings, their store, and the lists that
 * are made of them and are feeds like any other.
 *
 * <p>Sessions and handlers give sightings on their threads; one slow chore writes the lists.
 */
@NullMarked
package io.bloomgate.blocklists.memory;

import org.jspecify.annotations.NullMarked;
