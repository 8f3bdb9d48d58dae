/* The zone battle between Meks once more, by hand: what the compiled rules are measured against.
 *
 * Written from the rules, not generated from them. It knows what the forces of the benchmark need, and rolls all that
 * can occur between them: Regular, aggressive Meks on Plain with cannons, lasers and small weapons, jammers and
 * targeting arrays. Whatever else there is (missiles, skills, infantry, the map) it does not know. Same dice, battle
 * for battle, so that wins, rounds and the sum of fingerprints must be those of the engine.
 *
 * Numbers on standard input: units of side A, of side D; for each unit cost, Hits, armor, heat rating, movement dice,
 * movement bonus, systems, how many weapons, and for each of these family, number at Short, Medium, Long, heat, dice,
 * whether a miss is rolled again, whether it is repaired in pairs; then its three fittings. Arguments: seed, first battle, how many.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SHORT, MEDIUM, LONG };
enum { CANNON, LASER, MISSILE, SMALL };
enum { ARRAY = 1, JAMMER = 4 };
enum { NOBODY = -1, OUT_OF_RANGE = 99, ARMS = 10, FITTINGS = 3, UNITS = 4, PRIME = 1000003, WHOLE = 1296, COMMON = 60 };
enum { ROUND_CAP = 30 };

typedef struct { int family, number[3], heat, dice, again, paired, intact, expected, planned; } Weapon;
typedef struct { int slot, target; } Firing;
typedef struct {
    int side, cost, full, hits, armor, rating, dice, bonus, systems, arms, fittings[FITTINGS], intact[FITTINGS];
    int present, withdrew, legs, wounded, computers, computers_next, version, scored;
    int in_fight, stunned, wants_break, breaks, total, heat, firings, chosen, chosen_heat, chosen_all, chosen_order;
    int destroyed;
    Weapon weapons[ARMS];
    Firing plan[ARMS];
} Unit;
typedef struct { int64_t lost, withdrew, wounded, kills, hits, legs, weapons, systems, repair; } UnitTally;
typedef struct { int64_t wins[3], stalemates, rounds, prints, repair[2], squares[2]; UnitTally unit[4]; } Tally;
typedef struct { int made, band, broken_by; } Pair;
typedef struct { int stamp, worth[3]; } Sight;
typedef struct { int stamp, worth, heat, order; } Salvo;
typedef struct { int shooter, target, overheat; } Shot;
typedef struct {
    int attackers, units, round, shots, winner;
    Unit unit[UNITS];
    Pair pair[UNITS * UNITS];
    Sight sight[UNITS][UNITS];
    Salvo salvo[UNITS][UNITS][3];
    int doubled[UNITS][UNITS];
    Shot shot[UNITS * 2 * (ARMS + 1)];
} Battle;

static uint64_t dice;
static const uint64_t GOLDEN = 0x9E3779B97F4A7C15u;

static uint64_t mix(uint64_t value) {
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
    return value ^ (value >> 31);
}
static int roll(int sides) {
    dice += GOLDEN;
    return (int)(((mix(dice) >> 32) * (uint64_t)sides) >> 32) + 1;
}
static int pick(int count) { return count == 1 ? 0 : roll(count) - 1; }
static int least(int a, int b) { return a < b ? a : b; }
static int most(int a, int b) { return a > b ? a : b; }

/* --- who faces whom ---------------------------------------------------------------------------------------------- */

static int first_of(const Battle *b, int side) { return side ? b->attackers : 0; }
static int end_of(const Battle *b, int side) { return side ? b->units : b->attackers; }
static Pair *pair_of(Battle *b, int one, int other) {
    int a = least(one, other), d = most(one, other);
    return &b->pair[a * (b->units - b->attackers) + d - b->attackers];
}
static int unbroken(Battle *b, int one, int other) {
    Pair *pair = pair_of(b, one, other);
    return pair->made && !pair->broken_by;
}
static int has_contact(Battle *b, int i) {
    int foe = !b->unit[i].side;
    if (b->unit[i].present)
        for (int e = first_of(b, foe); e < end_of(b, foe); e++)
            if (unbroken(b, i, e)) return 1;
    return 0;
}

/* --- what fire is worth ------------------------------------------------------------------------------------------ */

static int expected_hits(const Unit *u, const Unit *target, const Weapon *w, int band, int primary) {
    if (!w->intact || w->number[band] == OUT_OF_RANGE || w->family == SMALL) return 0;
    int modifier = (target->systems & JAMMER ? -1 : 0) + (primary && u->systems & ARRAY ? 1 : 0) - u->computers;
    int faces = least(6, most(0, 7 - w->number[band] + modifier));
    int hit = w->again ? 36 - (6 - faces) * (6 - faces) : 6 * faces;
    return w->dice * hit * 6 * least(6, most(0, target->armor - 1));
}
static void weigh(Unit *u, const Unit *target, int band, int primary, int planning) {
    for (int slot = 0; slot < u->arms; slot++) {
        Weapon *w = &u->weapons[slot];
        w->expected = planning && w->planned ? 0 : expected_hits(u, target, w, band, primary);
    }
}
static int best(Unit *u, int limit) {
    int total = 0, heat = 0, mask = 0, hot = 0;
    for (int slot = 0; slot < u->arms; slot++) {
        const Weapon *w = &u->weapons[slot];
        if (w->expected > 0) {
            total += w->expected;
            heat += w->heat;
            mask |= 1 << (ARMS - 1 - slot);
            if (w->heat) hot |= 1 << (ARMS - 1 - slot);
        }
    }
    u->chosen_all = heat <= most(0, limit);
    if (u->chosen_all) {
        u->chosen = mask;
        u->chosen_heat = heat;
        return total;
    }
    int cold = mask & ~hot, best_total = 0, best_heat = 0, best_mask = 0;
    for (int set = hot; set > 0; set = (set - 1) & hot) {
        int set_total = 0, set_heat = 0;
        for (int slot = 0; slot < u->arms; slot++)
            if (set & 1 << (ARMS - 1 - slot)) {
                set_total += u->weapons[slot].expected;
                set_heat += u->weapons[slot].heat;
            }
        if (set_heat <= limit && (set_total > best_total || (set_total == best_total && set_heat < best_heat))) {
            best_total = set_total;
            best_heat = set_heat;
            best_mask = set;
        }
    }
    for (int slot = 0; slot < u->arms; slot++)
        if (cold & 1 << (ARMS - 1 - slot)) best_total += u->weapons[slot].expected;
    u->chosen = best_mask | cold;
    u->chosen_heat = best_heat;
    return best_total;
}
static const int *worths(Battle *b, int i, int e) { /* at each band; kept until either unit changes */
    Unit *u = &b->unit[i], *target = &b->unit[e];
    Sight *sight = &b->sight[i][e];
    if (sight->stamp != u->version + target->version) {
        sight->stamp = u->version + target->version;
        for (int band = SHORT; band <= LONG; band++) {
            weigh(u, target, band, 1, 0);
            sight->worth[band] = best(u, u->rating);
        }
    }
    return sight->worth;
}

/* --- what units want --------------------------------------------------------------------------------------------- */

static int is_harmless(Battle *b, int i) {
    int foe = !b->unit[i].side;
    for (int e = first_of(b, foe); e < end_of(b, foe); e++)
        if (unbroken(b, i, e)) {
            const int *worth = worths(b, i, e);
            if (worth[SHORT] || worth[MEDIUM] || worth[LONG]) return 0;
        }
    return 1;
}
static int preferred_band(Battle *b, int i, int e) {
    if (b->unit[i].wants_break) return LONG;
    const int *own = worths(b, i, e);
    int can_hurt = own[SHORT] || own[MEDIUM] || own[LONG], wanted = NOBODY, best_score = 0;
    for (int band = SHORT; band <= LONG; band++) {
        if (can_hurt && !own[band]) continue;
        int score = 2 * own[band] * b->unit[i].hits - worths(b, e, i)[band] * b->unit[e].hits;
        if (wanted == NOBODY || score > best_score) {
            wanted = band;
            best_score = score;
        }
    }
    return wanted;
}
static int best_at(Battle *b, int i, int e, int limit, int primary) {
    Unit *u = &b->unit[i];
    weigh(u, &b->unit[e], pair_of(b, i, e)->band, primary, 1);
    int total = best(u, limit);
    if (!primary || u->chosen_all) return total;
    int mask = u->chosen, heat = u->chosen_heat, hotter = best(u, limit + 1);
    if (3 * (hotter - total) >= WHOLE) return hotter; /* aggressive: a risk for a third of a Hit */
    u->chosen = mask;
    u->chosen_heat = heat;
    return total;
}
static int fire_order(const Unit *u, int mask) {
    int order = 0;
    for (int shift = 0; mask; shift += 4) {
        int first = NOBODY;
        for (int slot = 0; slot < u->arms; slot++) {
            if (!(mask & 1 << (ARMS - 1 - slot))) continue;
            const Weapon *new = &u->weapons[slot], *old = &u->weapons[first == NOBODY ? slot : first];
            if (first == NOBODY || new->expected > old->expected ||
                (new->expected == old->expected && new->heat > old->heat))
                first = slot;
        }
        mask &= ~(1 << (ARMS - 1 - first));
        order |= (first + 1) << shift;
    }
    return order;
}
static int weigh_target(Battle *b, int i, int e, int limit) {
    Unit *u = &b->unit[i];
    Salvo *salvo = &b->salvo[i][e][pair_of(b, i, e)->band];
    int stamp = u->version + b->unit[e].version, special = b->doubled[i][e];
    if (special || salvo->stamp != stamp) {
        int worth = best_at(b, i, e, limit, 1);
        u->chosen_order = worth ? fire_order(u, u->chosen) : 0;
        if (!special) *salvo = (Salvo){stamp, worth, u->chosen_heat, u->chosen_order};
        return worth;
    }
    u->chosen_heat = salvo->heat;
    u->chosen_order = salvo->order;
    return salvo->worth;
}
static void plan_fire(Battle *b, int i) {
    Unit *u = &b->unit[i];
    int foe = !u->side, chosen = NOBODY, value = 0, order = 0;
    for (int e = first_of(b, foe); e < end_of(b, foe); e++) {
        if (!unbroken(b, i, e)) continue;
        const Unit *target = &b->unit[e];
        int total = weigh_target(b, i, e, u->rating);
        int worth = least(WHOLE * COMMON, total * (COMMON / target->hits)), better = worth > value;
        if (worth <= 0) continue;
        if (worth == value && chosen != NOBODY) {
            const Unit *other = &b->unit[chosen];
            better = target->hits < other->hits || (target->hits == other->hits && target->cost > other->cost);
        }
        if (better) {
            chosen = e;
            value = worth;
            order = u->chosen_order;
        }
    }
    if (chosen == NOBODY) return;
    for (; order; order >>= 4) {
        int slot = (order & 15) - 1;
        u->plan[u->firings++] = (Firing){slot, chosen};
        u->weapons[slot].planned = 1;
    }
}

/* --- damage ------------------------------------------------------------------------------------------------------ */

static void destroy(Battle *b, int e, int by) {
    b->unit[e].present = 0;
    b->unit[e].destroyed = 1;
    if (by != NOBODY) b->unit[by].scored++;
}
static void lose_weapon(Unit *u) {
    int intact = 0;
    for (int slot = 0; slot < u->arms; slot++) intact += u->weapons[slot].intact;
    if (!intact) return;
    int left = pick(intact);
    for (int slot = 0; slot < u->arms; slot++)
        if (u->weapons[slot].intact && left-- == 0) u->weapons[slot].intact = 0;
    u->version++;
}
static void lose_system(Unit *u) {
    int intact = 0;
    for (int slot = 0; slot < FITTINGS; slot++) intact += u->intact[slot];
    if (!intact) return;
    int left = pick(intact);
    for (int slot = 0; slot < FITTINGS; slot++)
        if (u->intact[slot] && left-- == 0) {
            u->intact[slot] = 0;
            u->systems &= ~u->fittings[slot];
        }
    u->version++;
}
static void take_hit(Battle *b, int by, int e) {
    Unit *u = &b->unit[e];
    if (!u->present || roll(6) >= u->armor) return;
    if (--u->hits == 0) {
        destroy(b, e, by);
        return;
    }
    if (roll(6) <= u->hits) return;
    switch (roll(6)) {
        case 1: u->wounded = 1; break;
        case 2: u->legs++; break;
        case 3: lose_weapon(u); break;
        case 4: if (roll(6) <= 3) destroy(b, e, by); break;
        case 5: u->computers_next = 1; break;
        case 6: lose_system(u); break;
    }
}
static void overheat(Battle *b, int i, int hits) {
    Unit *u = &b->unit[i];
    if (!u->present) return;
    u->hits = most(0, u->hits - hits);
    if (u->hits == 0) destroy(b, i, NOBODY);
}

/* --- the round --------------------------------------------------------------------------------------------------- */

static int make_contact(Battle *b) {
    int fight = 0;
    for (int a = 0; a < b->attackers; a++)
        for (int d = b->attackers; d < b->units; d++) {
            if (!b->unit[a].present || !b->unit[d].present) continue;
            Pair *pair = pair_of(b, a, d);
            if (!pair->made) *pair = (Pair){1, LONG, 0};
            fight |= !pair->broken_by;
        }
    return fight;
}
static void move(Battle *b) {
    for (int i = 0; i < b->units; i++) { /* who is stunned by his wounds */
        Unit *u = &b->unit[i];
        if (u->in_fight && u->wounded) u->stunned = roll(6) < 5;
    }
    for (int i = 0; i < b->units; i++)
        if (b->unit[i].in_fight && !b->unit[i].stunned) b->unit[i].wants_break = is_harmless(b, i);
    for (int i = 0; i < b->units; i++) {
        Unit *u = &b->unit[i];
        if (!u->in_fight || u->stunned) continue;
        int total = u->bonus - u->legs;
        for (int die = 0; die < u->dice; die++) total += roll(6);
        u->total = most(0, total);
    }
    for (int i = 0; i < b->units; i++) { /* all judged before anybody leaves */
        Unit *u = &b->unit[i];
        if (!u->in_fight || !u->wants_break) continue;
        u->breaks = 1;
        for (int e = first_of(b, !u->side); e < end_of(b, !u->side); e++)
            if (unbroken(b, i, e) && (pair_of(b, i, e)->band != LONG || b->unit[e].total >= u->total)) u->breaks = 0;
    }
    for (int i = 0; i < b->units; i++) {
        Unit *u = &b->unit[i];
        if (!u->breaks) continue;
        u->withdrew = 1;
        for (int e = first_of(b, !u->side); e < end_of(b, !u->side); e++)
            if (unbroken(b, i, e)) pair_of(b, i, e)->broken_by = u->side + 1;
    }
    for (int a = 0; a < b->attackers; a++)
        for (int d = b->attackers; d < b->units; d++) {
            if (!unbroken(b, a, d) || b->unit[a].total == b->unit[d].total) continue;
            int winner = b->unit[a].total > b->unit[d].total ? a : d, loser = a + d - winner;
            int twice = b->unit[winner].total > 2 * b->unit[loser].total, steps = twice ? 2 : 1;
            Pair *pair = pair_of(b, a, d);
            int wanted = preferred_band(b, winner, loser);
            if (wanted > pair->band) pair->band = least(wanted, pair->band + steps);
            else if (wanted < pair->band) pair->band = most(wanted, pair->band - steps);
            else if (twice) b->doubled[loser][winner] = 1;
        }
}
static void fire(Battle *b, int i) {
    Unit *u = &b->unit[i];
    for (int k = 0; k < u->firings; k++) {
        int e = u->plan[k].target;
        Weapon *w = &u->weapons[u->plan[k].slot];
        const Unit *target = &b->unit[e];
        int number = w->number[pair_of(b, i, e)->band];
        int modifier = (target->systems & JAMMER ? -1 : 0) + (u->systems & ARRAY ? 1 : 0) - u->computers;
        for (int die = 0; die < w->dice; die++) {
            int hit = roll(6) + modifier >= number;
            if (!hit && w->again) hit = roll(6) + modifier >= number;
            if (hit) b->shot[b->shots++] = (Shot){i, e, 0};
        }
        if (!w->heat) continue;
        u->heat += w->heat;
        if (u->heat > u->rating && roll(6) <= u->heat - u->rating) {
            w->intact = 0;
            u->version++;
            b->shot[b->shots++] = (Shot){i, i, 1};
        }
    }
}
static int fight_round(Battle *b) {
    if (!make_contact(b)) return 0;
    b->round++;
    b->shots = 0;
    for (int i = 0; i < b->units; i++) {
        Unit *u = &b->unit[i];
        u->in_fight = has_contact(b, i);
        u->stunned = u->wants_break = u->breaks = u->total = u->heat = u->firings = 0;
        for (int slot = 0; slot < u->arms; slot++) u->weapons[slot].planned = 0;
    }
    memset(b->doubled, 0, sizeof b->doubled);
    move(b);
    for (int i = 0; i < b->units; i++)
        if (b->unit[i].in_fight && !b->unit[i].stunned && has_contact(b, i)) plan_fire(b, i);
    for (int i = 0; i < b->units; i++)
        if (b->unit[i].in_fight && !b->unit[i].stunned) fire(b, i);
    for (int k = 0; k < b->shots; k++)
        if (!b->shot[k].overheat) take_hit(b, b->shot[k].shooter, b->shot[k].target);
    for (int k = 0; k < b->shots; k++)
        if (b->shot[k].overheat) overheat(b, b->shot[k].shooter, b->shot[k].overheat);
    for (int i = 0; i < b->units; i++) {
        Unit *u = &b->unit[i];
        if (!u->in_fight) continue;
        u->version += u->computers != u->computers_next;
        u->computers = u->computers_next;
        u->computers_next = 0;
    }
    for (int a = 0; a < b->attackers; a++)
        for (int d = b->attackers; d < b->units; d++)
            if (!b->unit[a].present || !b->unit[d].present) pair_of(b, a, d)->made = 0;
    return 1;
}
static int holds_out(const Battle *b, int side) {
    for (int i = first_of(b, side); i < end_of(b, side); i++)
        if (b->unit[i].present && !b->unit[i].withdrew) return 1;
    return 0;
}
static void fight(Battle *b) {
    while (b->round < ROUND_CAP && fight_round(b)) {}
    int attackers = holds_out(b, 0), defenders = holds_out(b, 1);
    b->winner = attackers == defenders ? NOBODY : defenders;
}

/* --- counting ---------------------------------------------------------------------------------------------------- */

static int fingerprint(const Battle *b) {
    int64_t value = b->round * 7 + b->winner + 2;
    for (int i = 0; i < b->units; i++) {
        const Unit *u = &b->unit[i];
        value = (value * 31 + u->hits) % PRIME;
        value = (value * 31 + u->present + 2 * u->withdrew + 4 * u->wounded) % PRIME;
        value = (value * 31 + u->legs + 7 * u->scored + u->version) % PRIME;
        for (int slot = 0; slot < u->arms; slot++) value = (value * 3 + u->weapons[slot].intact) % PRIME;
    }
    for (int i = 0; i < b->units; i++)
        for (int slot = 0; slot < FITTINGS; slot++) value = (value * 3 + b->unit[i].intact[slot]) % PRIME;
    for (int k = 0; k < b->attackers * (b->units - b->attackers); k++)
        value = (value * 7 + b->pair[k].band + 3 * b->pair[k].broken_by) % PRIME;
    return (int)value;
}
static void add_up(const Battle *b, Tally *t, int64_t *end) {
    int64_t margin = 0, repair[2] = {0};
    int print = fingerprint(b);
    t->wins[b->winner == NOBODY ? 2 : b->winner]++;
    t->stalemates += b->winner == NOBODY && b->round == ROUND_CAP;
    t->rounds += b->round;
    t->prints += print;
    for (int i = 0; i < b->units; i++) {
        const Unit *u = &b->unit[i];
        UnitTally *unit = &t->unit[i];
        int weapons = 0, pairs = 0, systems = 0, bill = 0;
        for (int slot = 0; slot < u->arms; slot++) {
            weapons += !u->weapons[slot].intact;
            pairs += !u->weapons[slot].intact && u->weapons[slot].paired;
        }
        for (int slot = 0; slot < FITTINGS; slot++) systems += u->fittings[slot] && !u->intact[slot];
        if (!u->destroyed) {
            bill = u->full - u->hits + u->legs + weapons - pairs + (pairs + 1) / 2 + systems;
            margin += u->side ? -u->cost : u->cost;
        }
        repair[u->side] += bill;
        unit->lost += u->destroyed;
        unit->withdrew += !u->destroyed && u->withdrew;
        unit->wounded += u->wounded;
        unit->kills += u->scored;
        unit->hits += u->full - u->hits;
        unit->legs += u->legs;
        unit->weapons += weapons;
        unit->systems += systems;
        unit->repair += bill;
    }
    for (int side = 0; side < 2; side++) {
        t->repair[side] += repair[side];
        t->squares[side] += repair[side] * repair[side];
    }
    *end = (margin * 3 + b->winner + 1) * PRIME + print;
}
static int number(void) {
    int found;
    if (scanf("%d", &found) != 1) {
        fputs("reference: a number is missing\n", stderr);
        exit(1);
    }
    return found;
}
static void read_unit(Unit *u, int side) {
    *u = (Unit){.side = side, .present = 1};
    u->cost = number();
    u->full = u->hits = number();
    u->armor = number();
    u->rating = number();
    u->dice = number();
    u->bonus = number();
    u->systems = number();
    u->arms = number();
    for (int slot = 0; slot < u->arms; slot++) {
        Weapon *w = &u->weapons[slot];
        w->family = number();
        for (int band = SHORT; band <= LONG; band++) w->number[band] = number();
        w->heat = number();
        w->dice = number();
        w->again = number();
        w->paired = number();
        w->intact = 1;
    }
    for (int slot = 0; slot < FITTINGS; slot++) u->intact[slot] = (u->fittings[slot] = number()) != 0;
}
int main(int count, char **words) {
    if (count != 4) return 1;
    uint64_t seed = strtoull(words[1], NULL, 10), first = strtoull(words[2], NULL, 10);
    long battles = atol(words[3]);
    int64_t *ends = malloc((size_t)battles * sizeof *ends);
    static Tally t;
    static Battle template, b;
    template.attackers = number();
    template.units = template.attackers + number();
    for (int i = 0; i < template.units; i++) read_unit(&template.unit[i], i >= template.attackers);
    for (int k = 0; k < UNITS * UNITS; k++) template.pair[k].band = LONG;
    memset(template.sight, -1, sizeof template.sight);
    memset(template.salvo, -1, sizeof template.salvo);
    for (int a = 0; a < template.attackers; a++) /* worked out before the battle, so that no battle has to */
        for (int d = template.attackers; d < template.units; d++)
            for (int band = SHORT; band <= LONG; band++) {
                Pair *pair = pair_of(&template, a, d);
                pair->band = band;
                worths(&template, a, d);
                worths(&template, d, a);
                weigh_target(&template, a, d, template.unit[a].rating);
                weigh_target(&template, d, a, template.unit[d].rating);
            }
    clock_t began = clock();
    for (long k = 0; k < battles; k++) {
        b = template;
        dice = mix(seed + mix((first + (uint64_t)k) * GOLDEN));
        fight(&b);
        add_up(&b, &t, &ends[k]);
    }
    double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    int64_t lost = 0, mixed = 0;
    for (int i = 0; i < template.units; i++) lost += t.unit[i].lost;
    for (long k = 0; k < battles; k++) mixed = ((mixed * 31 + ends[k]) % PRIME + PRIME) % PRIME;
    for (int k = 0; k < 3; k++) printf("%lld ", (long long)t.wins[k]);
    printf("%lld %lld %lld ", (long long)t.rounds, (long long)lost, (long long)t.prints);
    printf("%lld %lld %lld %.6f\n", (long long)t.squares[0], (long long)t.squares[1], (long long)mixed, seconds);
    return 0;
}
